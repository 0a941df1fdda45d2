import CPopt
