extension Matrix where Rows == 3, Columns == 3 {
    public subscript(column index: Int) -> Vector3 { Vector3(self[0, index], self[1, index], self[2, index]) }
}
