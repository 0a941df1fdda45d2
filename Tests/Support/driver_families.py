"""Drivers of the kernel as the IIOD emulator plays them: what each shows, parses and refuses, and what comes of it.

From the sources of Linux 6.6 (drivers/iio/…, named with each; where a newer release differs, that is said) and, for
what several drivers share, from these:
- industrialio-core.c: numbers are parsed by iio_str_to_fixpoint, which takes "200" and "200.0"; lists of available
  values are "a b c", ranges "[first step last]". Attributes shared by type are in_accel_NAME, by all NAME alone.
- industrialio-buffer.c: enabling a buffer without a trigger is refused (-EINVAL) unless the driver has a mode without.
- trigger/iio-trig-hrtimer.c: 100 Hz at first; parses a fixpoint number (before Linux 5.8 an integer) and shows
  "%lu.%03u".
- common/hid-sensors/hid-sensor-attributes.c: a rate becomes an interval of whole milliseconds.

Each family has `devices` (and `triggers`) for the emulator, and what the daemon has to report of each device: its
state, the rate that the driver grants of 200 Hz (inertial) or 50 Hz (magnetometer), the clock, how it is sampled, and
a part of the reason for that. `mount_matrix` turns the values that are sent, so that they are right in body axes only
where the matrix is found.
"""

# Rotates the sensor's axes about z by 90°, so that no axis keeps its place.
TURNED = "0, 1, 0; -1, 0, 0; 0, 0, 1"
FORCE, RATE, FIELD = (1.5, 9.5, -2.0), (0.3, -0.2, 0.1), (12.0, -43.0, -20.0)
PRESSURE = 988.25
TIMERS = ["waymark-accelerometer", "waymark-gyroscope", "waymark-magnetometer", "waymark-barometer"]


def accel(**more):
    return {"kind": "accel", "value": FORCE, **more}


def gyro(**more):
    return {"kind": "gyro", "value": RATE, **more}


def magn(**more):
    return {"kind": "magn", "value": FIELD, **more}


def pressure(**more):
    return {"kind": "pressure", "value": PRESSURE, **more}


def expected(granted=None, sampling="deviceTrigger", state="streaming", clock="boottime", **more):
    return {"granted": granted, "sampling": sampling, "state": state, "clock": clock, **more}


# imu/inv_mpu6050/inv_mpu_core.c, inv_mpu_trigger.c: the rate is an attribute of the device and parsed by kstrtoint;
# refused while the buffer runs. MPU-9250 adds its AK8963, with a scale of each axis, to the same device.
INV_MPU6050 = {
    "name": "mpu9250", "rate": 50, "rate_attribute": "device", "rate_parse": "integer", "rate_text": "%d",
    "rates_text": "10 20 50 100 200 500", "rate_divided": 1000, "busy": ["sampling_frequency", "raw"],
    "mount_matrix": TURNED, "mount_style": "kinds",
    "channels": [accel(format="be:s16/16>>0", scale=0.000598), gyro(format="be:s16/16>>0", scale=0.001064724),
                 magn(format="be:s16/16>>0", scale=[0.001779, 0.001791, 0.001726])]}

# imu/inv_icm42600/inv_icm42600_accel.c, …_gyro.c, …_buffer.c: two devices, a FIFO and no trigger; the rate is shared
# by all channels and has to be one of the list, the matrix too is shared by all.
ICM42600 = {
    "rate": 50, "rate_attribute": "device", "rate_rounding": "exact", "fifo": True, "busy": ["raw"],
    "rates_text": "12.500000 25.000000 50.000000 100.000000 200.000000 1000.000000 2000.000000 4000.000000",
    "mount_matrix": TURNED, "mount_style": "all"}

# imu/st_lsm6dsx/st_lsm6dsx_core.c, …_buffer.c, …_shub.c: a FIFO and no trigger; rates in millihertz ("%d.%03d"),
# rounded up for accelerometer and gyroscope; a magnetometer on the sensor hub takes only those of its list. All are
# refused while the buffer runs.
LSM6DSX = {"rate": 12.5, "rate_attribute": "device", "fifo": True, "busy": ["sampling_frequency", "raw"]}
LSM6DSX_RATES = "12.500 26.000 52.000 104.000 208.000 416.000 833.000"
LIS3MDL_ON_HUB = {
    "name": "lsm6dso_magn", **LSM6DSX, "rate": 1, "rate_rounding": "exact",
    "rates_text": "1.000 2.000 3.000 5.000 10.000 20.000 40.000 80.000",
    "channels": [magn(format="le:s16/16>>0", scale=0.000146)]}

# imu/bmi160/bmi160_core.c: gyroscope first in the scan; a rate and a list of each kind, of which only those are
# accepted.
BMI160 = {
    "name": "bmi160", "rate": 100, "rate_attribute": "channel", "rates_attribute": "channel", "rate_rounding": "exact",
    "rates_text": "25 50 100 200 400 800 1600", "mount_matrix": TURNED,
    "channels": [gyro(format="le:s16/16>>0", scale=0.001065), accel(format="le:s16/16>>0", scale=0.000598)]}

# imu/bmi323/bmi323_core.c (Linux 6.7): a FIFO emptied by the interrupt, or a trigger that is named after the pin of
# that. The buffer can also be opened without interrupt, and then stays empty. Rates are refused while it runs.
BMI323 = {
    "name": "bmi323-imu", "rate": 25, "rate_attribute": "channel", "rates_attribute": "channel",
    "rate_rounding": "exact",
    "rates_text": "0.781250 1.562500 3.125000 6.250000 12.500000 25.000000 50.000000 100.000000 200.000000 400.000000 "
                  "800.000000",
    "busy": ["sampling_frequency", "raw"], "mount_matrix": TURNED, "mount_style": "kinds",
    "channels": [accel(format="le:s16/16>>0", scale=0.000598), gyro(format="le:s16/16>>0", scale=0.001065)]}

# imu/bno055/bno055.c: no trigger of its own; the magnetometer alone has a rate, of which the driver takes the
# nearest.
BNO055 = {
    "name": "bno055", "rate": 20, "rate_attribute": "channel", "rates_attribute": "channel", "rate_kinds": ["magn"],
    "rates_text": "2 6 8 10 15 20 25 30", "rate_rounding": "nearest", "trigger": None, "rate_text": "%d",
    "channels": [accel(format="le:s16/16>>0", scale=0.01), magn(format="le:s16/16>>0", scale=0.00625),
                 gyro(format="le:s16/16>>0", scale=0.001111111)]}

# magnetometer/ak8975.c: no trigger of its own and no rate; a scale of each axis.
AK8975 = {
    "name": "ak8963", "rate_attribute": "none", "trigger": None, "mount_matrix": TURNED,
    "channels": [magn(format="le:s16/16>>0", scale=[0.001779, 0.001791, 0.001726])]}

# magnetometer/hmc5843_core.c: no trigger of its own; z before y in the scan, big-endian; only the rates of the list.
HMC5843 = {
    "name": "hmc5883l", "rate": 15, "rate_attribute": "channel", "rate_rounding": "exact", "trigger": None,
    "rates_text": "0.750000 1.500000 3.0 7.500000 15.0 30.0 75.0", "mount_matrix": TURNED,
    "channels": [magn(format="be:s16/16>>0", axes="xzy", scale=0.000917)]}

# magnetometer/st_magn_core.c, common/st_sensors/st_sensors_core.c, …_trigger.c: whole rates of the list; a fraction
# is refused. The trigger is NAME-trigger.
ST_MAGN = {
    "name": "lis3mdl", "rate": 80, "rate_attribute": "device", "rate_rounding": "exact", "rate_parse": "whole",
    "rate_text": "%d", "rates_text": "1 2 3 5 10 20 40 80 155 300 560 1000", "trigger": "{name}-trigger",
    "mount_matrix": TURNED, "mount_style": "all", "channels": [magn(format="le:s16/16>>0", scale=0.000146)]}

# imu/adis16475.c, adis_trigger.c: gyroscope first, 32 bits, big-endian; 2000 Hz divided; no list. The scale is
# printed with nine decimals: 0.000000006 of 6.66e-9 rad/s (Documentation/iio/adis16475.rst shows it so).
ADIS16475 = {
    "name": "adis16505-2", "rate": 2000, "rate_attribute": "device", "rate_divided": 2000,
    "channels": [gyro(format="be:s32/32>>0", scale=6e-9), accel(format="be:s32/32>>0", scale=3.7e-8)]}

# accel/hid-sensor-accel-3d.c, gyro/…-gyro-3d.c, magnetometer/…-magn-3d.c, common/hid-sensors/hid-sensor-trigger.c: a
# trigger of its own that is set from the beginning, 32 bits, no list.
HID = {"rate": 10, "rate_attribute": "channel", "rate_divided": 1000}

# common/cros_ec_sensors/cros_ec_sensors_core.c, cros_ec_sensors.c: scale, rate and list are shared by all channels,
# the list is 0 (stopped), least and largest rate, between which the controller rounds up. With a FIFO there is no
# trigger; without one the buffer needs a trigger of another.
CROS_EC = {
    "rate": 100, "rate_attribute": "device", "rates_text": "0.000000 12.500000 100.000000", "rate_rounding": "up",
    "rates": [12.5, 25, 50, 100], "scale_attribute": "device", "fifo": True}


# pressure/ms5611_core.c: no trigger of its own and no rate; whole pascals.
MS5611 = {
    "name": "ms5611", "rate_attribute": "none", "trigger": None,
    "channels": [pressure(format="le:s32/32>>0", scale=0.001)]}


def with_own(device, **more):
    """The device with its interrupt, thus with its own trigger."""
    return {**device, **more}


def without_own(device, **more):
    """The device without interrupt: there is no trigger of its own."""
    return {**device, "trigger": None, **more}


NO_TIMER = "iio-trig-hrtimer"
# Chips of one board without any interrupt, which nothing samples but timers.
WITHOUT_INTERRUPTS = [
    {"name": "lsm6dso_accel", **LSM6DSX, "fifo": False, "trigger": None, "rates_text": LSM6DSX_RATES,
     "channels": [accel(format="le:s16/16>>0", scale=0.000598)]},
    {"name": "lsm6dso_gyro", **LSM6DSX, "fifo": False, "trigger": None, "rates_text": LSM6DSX_RATES,
     "channels": [gyro(format="le:s16/16>>0", scale=0.000152716)]},
    HMC5843, MS5611]

FAMILIES = {
    "inv_mpu6050": {
        "devices": [INV_MPU6050], "expected": {"mpu9250": expected(200)}},
    "inv_icm42600": {
        "devices": [
            {"name": "icm42605-gyro", **ICM42600, "channels": [gyro(format="be:s16/16>>0", scale=0.001065264)]},
            {"name": "icm42605-accel", **ICM42600, "channels": [accel(format="be:s16/16>>0", scale=0.000598550)]}],
        "expected": {name: expected(200, "device") for name in ("icm42605-gyro", "icm42605-accel")}},
    "st_lsm6dsx with lis3mdl": {
        "devices": [
            {"name": "lsm6dso_accel", **LSM6DSX, "rates_text": LSM6DSX_RATES,
             "channels": [accel(format="le:s16/16>>0", scale=0.000598)]},
            {"name": "lsm6dso_gyro", **LSM6DSX, "rates_text": LSM6DSX_RATES,
             "channels": [gyro(format="le:s16/16>>0", scale=0.000152716)]},
            LIS3MDL_ON_HUB],
        "expected": {"lsm6dso_accel": expected(208, "device"), "lsm6dso_gyro": expected(208, "device"),
                     "lsm6dso_magn": expected(80, "device")}},
    # st_lsm6dsx_core.c, st_lsm6dsx_sw_buffers_setup (2022): with neither interrupt nor FIFO a buffer with a trigger of another.
    "st_lsm6dsx without interrupt": {
        "devices": WITHOUT_INTERRUPTS[:2], "triggers": TIMERS,
        "expected": {name: expected(200, "timerTrigger") for name in ("lsm6dso_accel", "lsm6dso_gyro")}},
    "bmi160": {
        "devices": [with_own(BMI160, needs_trigger=True)], "expected": {"bmi160": expected(200)}},
    "bmi160 without interrupt": {
        "devices": [without_own(BMI160)], "triggers": TIMERS,
        "expected": {"bmi160": expected(200, "timerTrigger")}},
    "bmi160 without interrupt or timer": {
        "devices": [without_own(BMI160)],
        "expected": {"bmi160": expected(200, "polling", "polling", "host", reason=NO_TIMER)}},
    "bmi323": {
        "devices": [with_own(BMI323, trigger="{name}-trig-1", needs_trigger=True)],
        "expected": {"bmi323-imu": expected(200)}},
    "bmi323 without interrupt": {
        "devices": [without_own(BMI323, dead_fifo=True)], "triggers": TIMERS,
        "expected": {"bmi323-imu": expected(200, "timerTrigger")}},
    "bmi323 without interrupt or timer": {
        "devices": [without_own(BMI323, dead_fifo=True)],
        "expected": {"bmi323-imu": expected(200, "polling", "polling", "host", reason=NO_TIMER)}},
    "bno055": {
        "devices": [BNO055], "triggers": TIMERS, "expected": {"bno055": expected(200, "timerTrigger")}},
    "ak8975": {
        "devices": [AK8975], "triggers": TIMERS, "expected": {"ak8963": expected(50, "timerTrigger")}},
    "hmc5843": {
        "devices": [HMC5843], "triggers": TIMERS,
        "expected": {"hmc5883l": expected(50, "timerTrigger")}},
    "hmc5843 without timer": {
        "devices": [HMC5843],
        "expected": {"hmc5883l": expected(75, "polling", "polling", "host", reason=NO_TIMER)}},
    "st_magn": {
        "devices": [ST_MAGN], "expected": {"lis3mdl": expected(80)}},
    "st_magn without interrupt": {
        "devices": [without_own(ST_MAGN)], "triggers": TIMERS, "expected": {"lis3mdl": expected(50, "timerTrigger")}},
    "adis16475": {
        "devices": [with_own(ADIS16475, needs_trigger=True)],
        "expected": {"adis16505-2": expected(200, detail="too few digits of the scale of anglvel_x")}},
    "hid-sensor": {
        "devices": [
            {"name": "accel_3d", **HID, "channels": [accel(format="le:s32/32>>0", scale=9.80665e-06)]},
            {"name": "gyro_3d", **HID, "channels": [gyro(format="le:s32/32>>0", scale=1.7453e-05)]},
            {"name": "magn_3d", **HID, "channels": [magn(format="le:s32/32>>0", scale=1e-06)]}],
        "expected": {"accel_3d": expected(200), "gyro_3d": expected(200), "magn_3d": expected(50)}},
    "cros_ec": {
        "devices": [
            {"name": "cros-ec-accel", **CROS_EC, "channels": [accel(format="le:s16/16>>0", scale=0.000598)]},
            {"name": "cros-ec-gyro", **CROS_EC, "channels": [gyro(format="le:s16/16>>0", scale=0.000532)]}],
        "expected": {"cros-ec-accel": expected(100, "device"), "cros-ec-gyro": expected(100, "device")}},
    "cros_ec without FIFO": {
        "devices": [
            {"name": "cros-ec-accel", **CROS_EC, "fifo": False, "trigger": None,
             "channels": [accel(format="le:s16/16>>0", scale=0.000598)]},
            {"name": "cros-ec-gyro", **CROS_EC, "fifo": False, "trigger": None,
             "channels": [gyro(format="le:s16/16>>0", scale=0.000532)]}],
        "triggers": TIMERS,
        "expected": {name: expected(100, "timerTrigger") for name in ("cros-ec-accel", "cros-ec-gyro")}},
}
