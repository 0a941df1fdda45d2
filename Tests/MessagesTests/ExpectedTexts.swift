/// The bytes of messages; the samples are in `MessageSamples`.
enum ExpectedTexts {
    static let pose = #"""
        {"sequence":7,"time":{"sec":12,"nsec":345678901},"utc":"2026-06-21T00:00:12.345678Z","frame":"scene",\#
        "generation":3,"position":{"x":1.500000,"y":-2.250000,"z":0.000001},"orientation":{"x":0.102597835,\#
        "y":-0.205195670,"z":0.307793506,"w":0.923380517},"linearVelocity":{"x":1.000000,"y":0.000000,\#
        "z":-1.000000},"angularVelocity":{"x":0.010000,"y":0.020000,"z":-0.030000},\#
        "tracking":{"orientation":"tracked","position":"inferred"},"geo":{"latitude":47.123456789,\#
        "longitude":-8.987654321,"height":432.100000},"heading":90.000000,"headingReference":"trueNorth",\#
        "course":36.869898,"speed":5.000000,"motion":{"mode":"foot","probability":0.9876},\#
        "accuracy":{"horizontalAccuracy":2.5000,"orientationYawAccuracy":4.5000,"horizontalVelocityAccuracy":0.2500,\#
        "angularVelocityAccuracy":0.004000},"state":"limited","reasons":["noGNSSData","positionUncertain"],\#
        "sources":["inertial","magnetometer","steps"]}
        """#

    static let exactPose = #"""
        {"sequence":7,"time":{"sec":12,"nsec":345678901},"utc":"2026-06-21T00:00:12.345678Z","frame":"scene",\#
        "generation":3,"position":{"x":1.5,"y":-2.25,"z":1e-06},"orientation":{"x":0.10259783520851541,\#
        "y":-0.20519567041703082,"z":0.3077935056255462,"w":0.9233805168766387},"linearVelocity":{"x":1,"y":0,\#
        "z":-1},"angularVelocity":{"x":0.01,"y":0.02,"z":-0.03},"tracking":{"orientation":"tracked",\#
        "position":"inferred"},"geo":{"latitude":47.123456789,"longitude":-8.987654321,"height":432.1},\#
        "heading":89.99999999999999,"headingReference":"trueNorth","course":36.86989764584402,"speed":5,\#
        "motion":{"mode":"foot","probability":0.9876},"accuracy":{"horizontalAccuracy":2.5,\#
        "orientationYawAccuracy":4.5,"horizontalVelocityAccuracy":0.25,"angularVelocityAccuracy":0.004},\#
        "state":"limited","reasons":["noGNSSData","positionUncertain"],"sources":["inertial","magnetometer",\#
        "steps"]}
        """#

    static let frame = #"""
        {"sequence":9,"time":{"sec":4,"nsec":1},"generation":2,"origin":{"latitude":47.001234568,\#
        "longitude":8.100000000,"height":400.123457},"published":{"yaw":5.729578,"east":1.000000,"north":2.000000,\#
        "up":-3.000000},"target":{"yaw":-11.459156,"east":0.100000,"north":0.200000,"up":0.300000},\#
        "slewEnd":{"sec":99,"nsec":1},"horizontalAccuracy":2.345679,"orientationYawAccuracy":5.729578,\#
        "before":{"yaw":7.073552,"east":4.000000,"north":5.000000,"up":6.000000},"causes":["gnssPosition",\#
        "headingMonitor"],"mainCause":"headingMonitor"}
        """#

    static let exactFrame = #"""
        {"sequence":9,"time":{"sec":4,"nsec":1},"generation":2,"origin":{"latitude":47.001234567891,"longitude":8.1,\#
        "height":400.12345678},"published":{"yaw":5.729577951308232,"east":1,"north":2.00000049,"up":-3},\#
        "target":{"yaw":-11.459155902616464,"east":0.1,"north":0.2,"up":0.3},"slewEnd":{"sec":99,"nsec":1},\#
        "horizontalAccuracy":2.3456789,"orientationYawAccuracy":5.729577951308232,"before":{"yaw":7.073552446275112,\#
        "east":4,"north":5,"up":6},"causes":["gnssPosition","headingMonitor"],"mainCause":"headingMonitor"}
        """#

    static let scene = #"""
        {"revision":1,"snapshot":true,"missed":3,"time":{"sec":1020,"nsec":0},"generation":1,"readiness":"ready",\#
        "reasons":[],"route":{"id":"r","name":"Home","state":"following","length":280.00,"vertices":4,"turns":2,\#
        "along":26.00,"remaining":254.00,"remainingSeconds":195,"distanceFromRoute":0.00,\#
        "nextTurn":{"kind":"normal","side":"right","angle":90.0,"text":"Turn right","alongRoute":24.00}},\#
        "motion":{"epoch":{"sec":0,"nsec":0},"period":2.0000},"sun":{"elevation":65.17,"azimuth":197.99,\#
        "isDay":true,"light":"day"},"labelRoll":0.00,"changed":[{"id":"place/node/128","revision":1,"kind":"place",\#
        "name":"Café 128","category":"cafe","lock":"scene","position":{"x":-44.545,"y":1.600,"z":-92.027},\#
        "displayDistance":10.079,"yaw":33.66,"bearing":326.31,"distance":79.32,"distanceText":"79 m","sigma":2.03,\#
        "size":{"policy":"fading","angle":2.968,"scale":0.9895},"band":"near","order":1039872,"slot":{"index":0,\#
        "elevation":3.20,"width":8.00,"height":2.00},"visible":false,"radar":{"x":-0.1467,"y":0.2200},\#
        "properties":{"addr:street":"Mill Street","opening_hours":"Mo-Fr 08:00-18:30"},\#
        "details":{"address":"Mill Street","street":"Mill Street","openingHours":"Mo-Fr 08:00-18:30"}},\#
        {"id":"cluster/place/node/10","revision":1,"kind":"cluster","name":"4","category":"cafe","lock":"scene",\#
        "position":{"x":-198.611,"y":1.600,"z":17.881},"displayDistance":10.203,"yaw":102.49,"bearing":257.47,\#
        "distance":202.83,"distanceText":"200 m","sigma":1.77,"size":{"policy":"fading","angle":2.835,\#
        "scale":0.9451},"band":"middle","order":1024512,"slot":{"index":0,"elevation":3.20,"width":8.00,\#
        "height":2.00},"visible":false,"radar":{"x":-0.6600,"y":-0.1467},"members":["place/a","place/b"]},\#
        {"id":"cluster/place/node/10","revision":1,"kind":"route","name":"4","category":"cafe","lock":"scene",\#
        "position":{"x":-198.611,"y":1.600,"z":17.881},"displayDistance":10.203,"yaw":102.49,"bearing":257.47,\#
        "distance":202.83,"distanceText":"200 m","sigma":1.77,"size":{"policy":"fading","angle":2.835,\#
        "scale":0.9451},"band":"middle","order":1024512,"slot":{"index":0,"elevation":3.20,"width":8.00,\#
        "height":2.00},"visible":false,"radar":{"x":-0.6600,"y":-0.1467},"members":["place/node/10",\#
        "place/node/103","place/node/160","place/node/67"]},{"id":"route/r#1/arrow/10","revision":1,"kind":"arrow",\#
        "lock":"scene","position":{"x":-0.582,"y":0.000,"z":-30.000},"displayDistance":4.308,"yaw":-0.03,\#
        "bearing":0.00,"distance":4.31,"alongRoute":4.00,"sigma":20.10,"size":{"policy":"metric","angle":13.240,\#
        "scale":1.0000},"order":1080832,"visible":false,"radar":{"x":0.0000,"y":0.0144},"course":-0.03,\#
        "path":[{"share":0.0000,"position":{"x":-0.582,"y":0.000,"z":-30.000},"course":-0.03},{"share":1.0000,\#
        "position":{"x":-0.580,"y":0.000,"z":-33.000},"course":-0.03}],"side":"right","maneuver":"roundabout"},\#
        {"id":"route/r#1/node/2","revision":1,"kind":"node","lock":"scene","position":{"x":-0.580,"y":0.000,\#
        "z":-33.334},"displayDistance":7.506,"yaw":-0.03,"bearing":0.00,"distance":7.51,"alongRoute":7.33,\#
        "sigma":11.62,"size":{"policy":"metric","angle":3.815,"scale":1.0000},"order":1078784,"visible":true,\#
        "radar":{"x":0.0000,"y":0.0250},"course":-0.03},{"id":"cluster/place/node/10","revision":1,"kind":"start",\#
        "name":"4","category":"cafe","lock":"scene","position":{"x":-198.611,"y":1.600,"z":17.881},\#
        "displayDistance":10.203,"yaw":102.49,"bearing":257.47,"distance":202.83,"distanceText":"200 m",\#
        "sigma":1.77,"size":{"policy":"fading","angle":2.835,"scale":0.9451},"band":"middle","order":1024512,\#
        "slot":{"index":0,"elevation":3.20,"width":8.00,"height":2.00},"visible":false,"radar":{"x":-0.6600,\#
        "y":-0.1467},"members":["place/node/10","place/node/103","place/node/160","place/node/67"]},\#
        {"id":"route/r#1/turn/0","revision":1,"kind":"turn","name":"Turn right","lock":"scene",\#
        "position":{"x":-0.570,"y":1.600,"z":-50.000},"displayDistance":10.024,"yaw":-0.03,"bearing":0.00,\#
        "distance":24.00,"distanceText":"24 m","alongRoute":24.00,"alongRouteText":"24 m","sigma":3.98,\#
        "size":{"policy":"fading","angle":3.000,"scale":1.0000},"order":1072640,"slot":{"index":0,"elevation":3.20,\#
        "width":8.00,"height":2.00},"visible":true,"radar":{"x":0.0000,"y":0.0800},"course":-45.03,"side":"right",\#
        "maneuver":"normal"},{"id":"route/r#1/destination","revision":1,"kind":"destination","name":"Home",\#
        "lock":"scene","position":{"x":119.364,"y":1.600,"z":60.072},"displayDistance":10.148,"yaw":-125.66,\#
        "bearing":125.63,"distance":147.63,"distanceText":"150 m","alongRoute":254.00,"alongRouteText":"250 m",\#
        "sigma":1.82,"size":{"policy":"fading","angle":2.895,"scale":0.9650},"order":1030656,"slot":{"index":0,\#
        "elevation":3.20,"width":8.00,"height":2.00},"pulse":{"epoch":{"sec":0,"nsec":0},"period":1.0000,\#
        "opacity":0.1000,"scale":1.2000},"visible":false,"hint":{"u":0.8933,"v":0.0000,"turn":125.66,"order":0,\#
        "count":11,"box":{"u":0.6400,"v":0.2200,"width":0.4000,"height":0.1000}},"radar":{"x":0.4000,"y":-0.2867},"course":179.96},{"id":"cluster/place/node/10","revision":1,\#
        "kind":"anchor","name":"4","category":"cafe","lock":"head","position":{"x":-198.611,"y":1.600,"z":17.881},\#
        "displayDistance":10.203,"yaw":102.49,"bearing":257.47,"distance":202.83,"distanceText":"200 m",\#
        "sigma":1.77,"size":{"policy":"fading","angle":2.835,"scale":0.9451},"band":"middle","order":1024512,\#
        "slot":{"index":0,"elevation":3.20,"width":8.00,"height":2.00},"visible":false,"radar":{"x":-0.6600,\#
        "y":-0.1467},"members":["place/node/10","place/node/103","place/node/160","place/node/67"]}],\#
        "removed":["place/old"],"events":[{"sequence":5000000,"time":{"sec":5,"nsec":7},"kind":"proximityEntered",\#
        "id":"place/a","text":"A \"b\"","distance":12.3},{"sequence":5000001,"time":{"sec":5,"nsec":7},\#
        "kind":"proximityLeft","id":"place/a"}],"eventsDropped":2,"left":4}
        """#

    static let events = #"""
        [{"sequence":5000000,"time":{"sec":5,"nsec":7},"kind":"proximityEntered","id":"place/a","text":"A \"b\"",\#
        "distance":12.3},{"sequence":5000001,"time":{"sec":5,"nsec":7},"kind":"proximityLeft","id":"place/a"},\#
        {"sequence":5000002,"time":{"sec":5,"nsec":7},"kind":"announcement","about":"turn","route":"r","text":"Turn\#
         left in 40 metres","distance":40.0,"side":"left"},{"sequence":5000003,"time":{"sec":5,"nsec":7},\#
        "kind":"announcement","about":"backOnRoute","route":"r","text":"Back on the route"},{"sequence":5000004,\#
        "time":{"sec":5,"nsec":7},"kind":"turnAhead","route":"r","distance":99.0,"side":"right"},{"sequence":5000005,\#
        "time":{"sec":5,"nsec":7},"kind":"offRoute","route":"r"},{"sequence":5000006,"time":{"sec":5,"nsec":7},\#
        "kind":"onRoute","route":"r"},{"sequence":5000007,"time":{"sec":5,"nsec":7},"kind":"arrived","route":"r"},\#
        {"sequence":5000008,"time":{"sec":5,"nsec":7},"kind":"correction","text":"Content was\#
         turned by 17 degrees to the left and moved by 5 metres","distance":2.7,"turn":-17.2,"reasons":["gnssPosition","headingMonitor"]},{"sequence":5000009,\#
        "time":{"sec":5,"nsec":7},"kind":"readiness","state":"lost","reasons":["settling","poorGNSS"]},\#
        {"sequence":5000010,"time":{"sec":5,"nsec":7},"kind":"anchorLost","id":"anchor/x"},{"sequence":5000011,\#
        "time":{"sec":5,"nsec":7},"kind":"anchorMoved","id":"anchor/y","distance":12.3}]
        """#

    static let route = #"""
        {"id":"r","name":"Home","state":"following","length":280.00,"vertices":4,"turns":2,"along":30.00,\#
        "remaining":250.00,"remainingSeconds":192,"distanceFromRoute":1.00,"nextTurn":{"kind":"normal",\#
        "side":"right","angle":90.0,"text":"Turn right","alongRoute":20.00}}
        """#

    static let correction = #"""
        {"time":{"sec":5,"nsec":7},"utc":"1970-01-01T00:00:05.000000Z","large":true,"end":{"sec":99,"nsec":1},\#
        "generation":2,"before":{"yaw":5.729578,"east":1.000000,"north":2.000000,"up":-3.000000},\#
        "target":{"yaw":-11.459156,"east":0.100000,"north":0.200000,"up":0.300000},"turn":-17.188734,\#
        "shift":2.737765,"rise":-3.300000,"causes":["gnssPosition","headingMonitor"],"mainCause":"headingMonitor",\#
        "pairs":[{"kind":"velocities","count":4,"correction":-17.188734,"deviation":5.729578},{"kind":"positions",\#
        "count":3,"deviation":11.459156}],"text":"content turned 17.2° counter-clockwise,\#
         shifted 2.7 m and sank by 3.3 m over 94.0 s, because of a persistent contradiction between inertial and GNS\#
        S motion and the GNSS position; 4 pairs of velocities indicate 17.2° ± 5.7° clockwise","moved":2.023528,\#
        "angle":42.362387}
        """#

    static let estimate = #"""
        {"time":{"sec":12,"nsec":345678901},"generation":3,"position":{"x":0.889474,"y":-1.460526,"z":0.063159},\#
        "geo":{"latitude":47.400017500,"longitude":8.500025037,"height":398.539474},"horizontalAccuracy":2.0167,\#
        "verticalAccuracy":3.2100,"fixPosition":{"x":2.019900,"y":1.600000,"z":-1.979900},"east":1.109939,\#
        "north":2.054260,"up":3.060527,"distance":2.334941,"deviations":1.4028}
        """#

    static let progress = #"""
        {"instruction":"turnThroughDirections","fraction":0.1235,"seconds":2.001,"predictedTiltError":0.5000,\#
        "coverage":0.04,"regions":[0,63,64,99],"poses":[[0.0000,1.0000,0.0000]],"direction":[0.1235,-0.5000,0.7000],\#
        "missing":[0.0000,0.0000,-1.0000]}
        """#

    static let result = #"""
        {"kind":"accel","accepted":true,"reason":"good","parameters":{"bias":[0.30000000000000004,-1,2e+09],\#
        "matrix":[[0.3333333333333333,0,0],[0,0.3333333333333333,0],[0,0,0.3333333333333333]]},\#
        "standardDeviations":{"bias":[0,0,0],"matrix":[[0,0,0],[0,0,0],[0,0,0]]},\#
        "gyroscope":{"parameters":{"bias":[1e-17,0,0],"matrix":[[1,0,0],[0,1,0],[0,0,1]]},\#
        "standardDeviations":{"bias":[0,0,0],"matrix":[[0,0,0],[0,0,0],[0,0,0]]}},"residualRMS":0.5729577951308232,\#
        "residualUnit":"deg","predictedHeadingError":1,"poses":6,"noise":[{"axis":"gx","unit":"rad/s",\#
        "randomWalk":0.001,"randomWalkDeviation":1e-04,"curve":[{"tau":1,"deviation":0.001,"uncertainty":0.0200}]},\#
        {"axis":"gy","unit":"rad/s","randomWalk":0.001,"randomWalkDeviation":1e-04,"curve":[{"tau":1,\#
        "deviation":0.001,"uncertainty":0.0200}]},{"axis":"gz","unit":"rad/s","randomWalk":0.001,\#
        "randomWalkDeviation":1e-04,"curve":[{"tau":1,"deviation":0.001,"uncertainty":0.0200}]},{"axis":"ax",\#
        "unit":"m/s²","randomWalk":0.001,"randomWalkDeviation":1e-04,"curve":[{"tau":1,"deviation":0.001,\#
        "uncertainty":0.0200}]},{"axis":"ay","unit":"m/s²","randomWalk":0.001,"randomWalkDeviation":1e-04,\#
        "curve":[{"tau":1,"deviation":0.001,"uncertainty":0.0200}]},{"axis":"az","unit":"m/s²","randomWalk":0.001,\#
        "randomWalkDeviation":1e-04,"curve":[{"tau":1,"deviation":0.001,"uncertainty":0.0200}]}],\#
        "temperature":31.26,"samples":1234,"seconds":61.235,"stored":true}
        """#

    static let entry = #"""
        {"sensor":"magnetometer","device":"icm20948","identity":"icm20948, serial 1","inForce":false,\#
        "detail":"the device is not present","time":1782000000.5,"age":12.3,"origin":"online","kind":"mag",\#
        "version":"1.2","parameters":{"bias":[1.5,-2,0.1],"matrix":[[1,0,0],[0,1,0],[0,0,1]]},\#
        "standardDeviations":{"bias":[0,0,0],"matrix":[[0,0,0],[0,0,0],[0,0,0]]},"residualRMS":0.7,\#
        "residualUnit":"µT","predictedHeadingError":1.1459155902616465,"coverage":0.88,"noise":[{"axis":"gx",\#
        "unit":"rad/s","randomWalk":0.001,"curve":[{"tau":1,"deviation":0.001,"uncertainty":0.0200}]},{"axis":"gy",\#
        "unit":"rad/s","randomWalk":0.001,"curve":[{"tau":1,"deviation":0.001,"uncertainty":0.0200}]},{"axis":"gz",\#
        "unit":"rad/s","randomWalk":0.001,"curve":[{"tau":1,"deviation":0.001,"uncertainty":0.0200}]},{"axis":"ax",\#
        "unit":"m/s²","randomWalk":0.001,"curve":[{"tau":1,"deviation":0.001,"uncertainty":0.0200}]},{"axis":"ay",\#
        "unit":"m/s²","randomWalk":0.001,"curve":[{"tau":1,"deviation":0.001,"uncertainty":0.0200}]},{"axis":"az",\#
        "unit":"m/s²","randomWalk":0.001,"curve":[{"tau":1,"deviation":0.001,"uncertainty":0.0200}]}],"samples":77,\#
        "mountMatrix":[1,0,0,0,1,0,0,0,1],"history":2}
        """#
}
