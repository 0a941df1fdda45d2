# Completion for bash of waymark and its services. Made from the help texts by scripts/completions: `make format` writes it anew.

declare -gA _waymark_words _waymark_options _waymark_values _waymark_asked
_waymark_words['waymark']='ahead aid aids calibrate devices doctor explain export fleet import navigator notify places plan pose record recover replay report route scene serve share sight status terrain wait watch'
_waymark_words['waymark calibrate']='accel all export gyro import mag mount noise reset show'
_waymark_words['waymark fleet']='simulate watch'
_waymark_words['waymark places']='export favorite filter filters import near search show'
_waymark_words['waymark plan']='import list remove show'
_waymark_words['waymark route']='clear set show to'
_waymark_words['waymark terrain']='import list remove show'
_waymark_options['waymark ahead']='--json --limit= --radius= --socket= --help -h'
_waymark_options['waymark aid']='--csv= --kind= --source= --latency= --rebase --socket= --help -h'
_waymark_options['waymark aids']='--json --socket= --help -h'
_waymark_options['waymark calibrate accel']='--json --force --dry-run --timeout= --from= --output= --rate= --unit= --gravity= --gyro-scale= --faces --turn= --socket= --help -o -h'
_waymark_options['waymark calibrate all']='--json --force --dry-run --timeout= --from= --rate= --gravity= --field= --dip= --socket= --help -h'
_waymark_options['waymark calibrate export']='--socket= --help -h'
_waymark_options['waymark calibrate gyro']='--json --force --dry-run --timeout= --from= --output= --rate= --unit= --gyro-scale= --socket= --help -o -h'
_waymark_options['waymark calibrate import']='--force --socket= --help -h'
_waymark_options['waymark calibrate mag']='--json --force --dry-run --timeout= --from= --output= --rate= --unit= --field= --dip= --socket= --help -o -h'
_waymark_options['waymark calibrate mount']='--json --force --dry-run --timeout= --from= --output= --rate= --unit= --gravity= --accel-scale= --gyro-scale= --socket= --help -o -h'
_waymark_options['waymark calibrate noise']='--json --force --dry-run --timeout= --seconds= --hours= --svg= --from= --output= --rate= --unit= --accel-scale= --gyro-scale= --socket= --help -o -h'
_waymark_options['waymark calibrate reset']='--socket= --help -h'
_waymark_options['waymark calibrate show']='--json --socket= --help -h'
_waymark_options['waymark devices']='--json --socket= --help -h'
_waymark_options['waymark doctor']='--json --seconds= --worn --config= --socket= --help -h'
_waymark_options['waymark explain']='--json --seconds= --id= --socket= --help -h'
_waymark_options['waymark export']='--format= --what= --output= --rate= --frame= --encoding= --help -o -h'
_waymark_options['waymark fleet simulate']='--wearers= --prefix= --rate= --events= --duration= --directory= --allow-remote --json --broker= --username= --password-file= --authority= --certificate= --key= --help -h'
_waymark_options['waymark fleet watch']='--json --count= --timeout= --interval= --topic= --broker= --username= --password-file= --authority= --certificate= --key= --help -n -h'
_waymark_options['waymark import']='--help -h'
_waymark_options['waymark navigator']='--service= --profile= --json --config= --socket= --help -h'
_waymark_options['waymark notify']='--announcements --socket= --help -h'
_waymark_options['waymark places export']='--format= --socket= --help -h'
_waymark_options['waymark places favorite']='--remove --socket= --help -h'
_waymark_options['waymark places filter']='--kinds= --radius= --favorites= --save= --use= --remove= --json --socket= --help -h'
_waymark_options['waymark places filters']='--json --socket= --help -h'
_waymark_options['waymark places import']='--source= --replace --json --socket= --help -h'
_waymark_options['waymark places near']='--json --limit= --radius= --kinds= --favorites --position= --socket= --help -h'
_waymark_options['waymark places search']='--json --limit= --position= --socket= --help -h'
_waymark_options['waymark places show']='--json --socket= --help -h'
_waymark_options['waymark plan import']='--id= --name= --json --socket= --help -h'
_waymark_options['waymark plan list']='--json --position= --socket= --help -h'
_waymark_options['waymark plan remove']='--socket= --help -h'
_waymark_options['waymark plan show']='--json --output= --socket= --help -o -h'
_waymark_options['waymark pose']='--format= --predict= --at= --clock= --socket= --help -h'
_waymark_options['waymark record']='--duration= --poses= --socket= --help -h'
_waymark_options['waymark recover']='--help -h'
_waymark_options['waymark replay']='--output= --rate= --plan= --serve --socket= --help -o -h'
_waymark_options['waymark report']='--output= --plan= --help -o -h'
_waymark_options['waymark route clear']='--socket= --help -h'
_waymark_options['waymark route set']='--format= --precision= --name= --socket= --help -h'
_waymark_options['waymark route show']='--json --socket= --help -h'
_waymark_options['waymark route to']='--service= --straight --profile= --keep --json --config= --socket= --help -h'
_waymark_options['waymark scene']='--json --watch --rate= --view= --socket= --help -h'
_waymark_options['waymark serve']='--http= --allow-remote --no-token --allow-changes --tiles= --config= --socket= --help -h'
_waymark_options['waymark share']='--format= --flat --socket= --help -h'
_waymark_options['waymark sight']='--at= --accuracy= --source= --socket= --help -h'
_waymark_options['waymark status']='--json --socket= --help -h'
_waymark_options['waymark terrain import']='--json --socket= --help -h'
_waymark_options['waymark terrain list']='--json --socket= --help -h'
_waymark_options['waymark terrain remove']='--socket= --help -h'
_waymark_options['waymark terrain show']='--json --socket= --help -h'
_waymark_options['waymark wait']='--horizontal= --yaw= --timeout= --socket= --help -h'
_waymark_options['waymark watch']='--json --count= --timeout= --rate= --predict= --socket= --help -n -h'
_waymark_options['waymark']='--socket= --version --help -h'
_waymark_options['waymark-beacon']='--target= --volume= --device= --list-devices --wav= --seconds= --socket= --version --help -h'
_waymark_options['waymark-bridge']='--gpsd= --nmea-tcp= --nmea-socket= --nmea-terminal= --opentrack= --mavlink= --metrics= --rate= --allow-remote --config= --socket= --version --help -h'
_waymark_options['waymark-mqtt']='--config= --check-config --socket= --version --help -h'
_waymark_options['waymark-voice']='--language= --module= --voice= --rate= --pitch= --volume= --silent --print --socket= --version --help -h'
_waymark_options['waymarkd']='--demo --compass-off= --gyro-off= --camera --config= --socket= --check-config --version --help -h'
_waymark_values['waymark ahead --limit']='@text'
_waymark_values['waymark ahead --radius']='@text'
_waymark_values['waymark ahead --socket']='@file'
_waymark_values['waymark aid --csv']='@file csv'
_waymark_values['waymark aid --kind']='odometry position sighting range heading height'
_waymark_values['waymark aid --source']='@text'
_waymark_values['waymark aid --latency']='@text'
_waymark_values['waymark aid --socket']='@file'
_waymark_values['waymark aids --socket']='@file'
_waymark_values['waymark calibrate accel --timeout']='@text'
_waymark_values['waymark calibrate accel --from']='@file mcap csv csv.gz'
_waymark_values['waymark calibrate accel --output']='@file json'
_waymark_values['waymark calibrate accel -o']='@file json'
_waymark_values['waymark calibrate accel --rate']='@text'
_waymark_values['waymark calibrate accel --unit']='si counts'
_waymark_values['waymark calibrate accel --gravity']='@text'
_waymark_values['waymark calibrate accel --gyro-scale']='@text'
_waymark_values['waymark calibrate accel --turn']='@text'
_waymark_values['waymark calibrate accel --socket']='@file'
_waymark_values['waymark calibrate all --timeout']='@text'
_waymark_values['waymark calibrate all --from']='@file mcap csv csv.gz'
_waymark_values['waymark calibrate all --rate']='@text'
_waymark_values['waymark calibrate all --gravity']='@text'
_waymark_values['waymark calibrate all --field']='@text'
_waymark_values['waymark calibrate all --dip']='@text'
_waymark_values['waymark calibrate all --socket']='@file'
_waymark_values['waymark calibrate export --socket']='@file'
_waymark_values['waymark calibrate export 0']='@file json'
_waymark_values['waymark calibrate gyro --timeout']='@text'
_waymark_values['waymark calibrate gyro --from']='@file mcap csv csv.gz'
_waymark_values['waymark calibrate gyro --output']='@file json'
_waymark_values['waymark calibrate gyro -o']='@file json'
_waymark_values['waymark calibrate gyro --rate']='@text'
_waymark_values['waymark calibrate gyro --unit']='si counts'
_waymark_values['waymark calibrate gyro --gyro-scale']='@text'
_waymark_values['waymark calibrate gyro --socket']='@file'
_waymark_values['waymark calibrate import --socket']='@file'
_waymark_values['waymark calibrate import 0']='@file json'
_waymark_values['waymark calibrate mag --timeout']='@text'
_waymark_values['waymark calibrate mag --from']='@file mcap csv csv.gz'
_waymark_values['waymark calibrate mag --output']='@file json'
_waymark_values['waymark calibrate mag -o']='@file json'
_waymark_values['waymark calibrate mag --rate']='@text'
_waymark_values['waymark calibrate mag --unit']='si counts'
_waymark_values['waymark calibrate mag --field']='@text'
_waymark_values['waymark calibrate mag --dip']='@text'
_waymark_values['waymark calibrate mag --socket']='@file'
_waymark_values['waymark calibrate mount --timeout']='@text'
_waymark_values['waymark calibrate mount --from']='@file mcap csv csv.gz'
_waymark_values['waymark calibrate mount --output']='@file json'
_waymark_values['waymark calibrate mount -o']='@file json'
_waymark_values['waymark calibrate mount --rate']='@text'
_waymark_values['waymark calibrate mount --unit']='si counts'
_waymark_values['waymark calibrate mount --gravity']='@text'
_waymark_values['waymark calibrate mount --accel-scale']='@text'
_waymark_values['waymark calibrate mount --gyro-scale']='@text'
_waymark_values['waymark calibrate mount --socket']='@file'
_waymark_values['waymark calibrate noise --timeout']='@text'
_waymark_values['waymark calibrate noise --seconds']='@text'
_waymark_values['waymark calibrate noise --hours']='@text'
_waymark_values['waymark calibrate noise --svg']='@file svg'
_waymark_values['waymark calibrate noise --from']='@file mcap csv csv.gz'
_waymark_values['waymark calibrate noise --output']='@file json'
_waymark_values['waymark calibrate noise -o']='@file json'
_waymark_values['waymark calibrate noise --rate']='@text'
_waymark_values['waymark calibrate noise --unit']='si counts'
_waymark_values['waymark calibrate noise --accel-scale']='@text'
_waymark_values['waymark calibrate noise --gyro-scale']='@text'
_waymark_values['waymark calibrate noise --socket']='@file'
_waymark_values['waymark calibrate reset --socket']='@file'
_waymark_values['waymark calibrate reset 0']='gyro accel mag mount noise'
_waymark_values['waymark calibrate show --socket']='@file'
_waymark_values['waymark devices --socket']='@file'
_waymark_values['waymark doctor --seconds']='@text'
_waymark_values['waymark doctor --config']='@file toml'
_waymark_values['waymark doctor --socket']='@file'
_waymark_values['waymark explain --seconds']='@text'
_waymark_values['waymark explain --id']='@placement'
_waymark_values['waymark explain --socket']='@file'
_waymark_values['waymark export --format']='gpx geojson mf-json kml csv tum nmea foxglove ros2'
_waymark_values['waymark export --what']='fused receiver replayed'
_waymark_values['waymark export --output']='@file gpx geojson mfjson kml csv tum nmea'
_waymark_values['waymark export -o']='@file gpx geojson mfjson kml csv tum nmea'
_waymark_values['waymark export --rate']='@text'
_waymark_values['waymark export --frame']='earth scene'
_waymark_values['waymark export --encoding']='protobuf json'
_waymark_values['waymark export 0']='@file mcap'
_waymark_values['waymark fleet simulate --wearers']='@text'
_waymark_values['waymark fleet simulate --prefix']='@text'
_waymark_values['waymark fleet simulate --rate']='@text'
_waymark_values['waymark fleet simulate --events']='@text'
_waymark_values['waymark fleet simulate --duration']='@text'
_waymark_values['waymark fleet simulate --directory']='@text'
_waymark_values['waymark fleet simulate --broker']='@text'
_waymark_values['waymark fleet simulate --username']='@text'
_waymark_values['waymark fleet simulate --password-file']='@file'
_waymark_values['waymark fleet simulate --authority']='@file'
_waymark_values['waymark fleet simulate --certificate']='@file'
_waymark_values['waymark fleet simulate --key']='@file'
_waymark_values['waymark fleet watch --count']='@text'
_waymark_values['waymark fleet watch -n']='@text'
_waymark_values['waymark fleet watch --timeout']='@text'
_waymark_values['waymark fleet watch --interval']='@text'
_waymark_values['waymark fleet watch --topic']='@text'
_waymark_values['waymark fleet watch --broker']='@text'
_waymark_values['waymark fleet watch --username']='@text'
_waymark_values['waymark fleet watch --password-file']='@file'
_waymark_values['waymark fleet watch --authority']='@file'
_waymark_values['waymark fleet watch --certificate']='@file'
_waymark_values['waymark fleet watch --key']='@file'
_waymark_values['waymark import 0']='@folder'
_waymark_values['waymark import 1']='@file mcap'
_waymark_values['waymark navigator --service']='@text'
_waymark_values['waymark navigator --profile']='@text'
_waymark_values['waymark navigator --config']='@file toml'
_waymark_values['waymark navigator --socket']='@file'
_waymark_values['waymark notify --socket']='@file'
_waymark_values['waymark places export --format']='geojson geojsonseq ndjson'
_waymark_values['waymark places export --socket']='@file'
_waymark_values['waymark places export 0']='@file geojson json geojsonseq geojsonl ndjson'
_waymark_values['waymark places favorite --socket']='@file'
_waymark_values['waymark places favorite 0']='@place'
_waymark_values['waymark places filter --kinds']='@text'
_waymark_values['waymark places filter --radius']='@text'
_waymark_values['waymark places filter --favorites']='yes no'
_waymark_values['waymark places filter --save']='@text'
_waymark_values['waymark places filter --use']='@filter'
_waymark_values['waymark places filter --remove']='@filter'
_waymark_values['waymark places filter --socket']='@file'
_waymark_values['waymark places filters --socket']='@file'
_waymark_values['waymark places import --source']='@text'
_waymark_values['waymark places import --socket']='@file'
_waymark_values['waymark places import 0']='@file geojson json geojsonseq geojsonl ndjson gpx csv tsv'
_waymark_values['waymark places near --limit']='@text'
_waymark_values['waymark places near --radius']='@text'
_waymark_values['waymark places near --kinds']='@text'
_waymark_values['waymark places near --position']='@text'
_waymark_values['waymark places near --socket']='@file'
_waymark_values['waymark places search --limit']='@text'
_waymark_values['waymark places search --position']='@text'
_waymark_values['waymark places search --socket']='@file'
_waymark_values['waymark places search 0']='@text'
_waymark_values['waymark places show --socket']='@file'
_waymark_values['waymark places show 0']='@place'
_waymark_values['waymark plan import --id']='@text'
_waymark_values['waymark plan import --name']='@text'
_waymark_values['waymark plan import --socket']='@file'
_waymark_values['waymark plan import 0']='@file geojson json osm'
_waymark_values['waymark plan list --position']='@text'
_waymark_values['waymark plan list --socket']='@file'
_waymark_values['waymark plan remove --socket']='@file'
_waymark_values['waymark plan remove 0']='@plan'
_waymark_values['waymark plan show --output']='@file geojson json'
_waymark_values['waymark plan show -o']='@file geojson json'
_waymark_values['waymark plan show --socket']='@file'
_waymark_values['waymark plan show 0']='@plan'
_waymark_values['waymark pose --format']='json geopose'
_waymark_values['waymark pose --predict']='@text'
_waymark_values['waymark pose --at']='@text'
_waymark_values['waymark pose --clock']='boottime realtime'
_waymark_values['waymark pose --socket']='@file'
_waymark_values['waymark record --duration']='@text'
_waymark_values['waymark record --poses']='@text'
_waymark_values['waymark record --socket']='@file'
_waymark_values['waymark record 0']='@file mcap'
_waymark_values['waymark recover 0']='@file mcap'
_waymark_values['waymark recover 1']='@file mcap'
_waymark_values['waymark replay --output']='@file csv'
_waymark_values['waymark replay -o']='@file csv'
_waymark_values['waymark replay --rate']='@text'
_waymark_values['waymark replay --plan']='@file'
_waymark_values['waymark replay --socket']='@file'
_waymark_values['waymark replay 0']='@file mcap'
_waymark_values['waymark report --output']='@file html'
_waymark_values['waymark report -o']='@file html'
_waymark_values['waymark report --plan']='@file'
_waymark_values['waymark report 0']='@file mcap'
_waymark_values['waymark report 1']='@file mcap'
_waymark_values['waymark route clear --socket']='@file'
_waymark_values['waymark route set --format']='osrm valhalla mapbox google geojson gpx polyline5 polyline6'
_waymark_values['waymark route set --precision']='5 6'
_waymark_values['waymark route set --name']='@text'
_waymark_values['waymark route set --socket']='@file'
_waymark_values['waymark route set 0']='@file gpx geojson json polyline txt'
_waymark_values['waymark route show --socket']='@file'
_waymark_values['waymark route to --service']='@text'
_waymark_values['waymark route to --profile']='@text'
_waymark_values['waymark route to --config']='@file toml'
_waymark_values['waymark route to --socket']='@file'
_waymark_values['waymark route to 0']='@place'
_waymark_values['waymark scene --rate']='@text'
_waymark_values['waymark scene --view']='@text'
_waymark_values['waymark scene --socket']='@file'
_waymark_values['waymark serve --http']='@text'
_waymark_values['waymark serve --tiles']='@file'
_waymark_values['waymark serve --config']='@file toml'
_waymark_values['waymark serve --socket']='@file'
_waymark_values['waymark share --format']='geo json'
_waymark_values['waymark share --socket']='@file'
_waymark_values['waymark sight --at']='@text'
_waymark_values['waymark sight --accuracy']='@text'
_waymark_values['waymark sight --source']='@text'
_waymark_values['waymark sight --socket']='@file'
_waymark_values['waymark sight 0']='@place'
_waymark_values['waymark status --socket']='@file'
_waymark_values['waymark terrain import --socket']='@file'
_waymark_values['waymark terrain import 0']='@file hgt tif tiff osm geojson json'
_waymark_values['waymark terrain list --socket']='@file'
_waymark_values['waymark terrain remove --socket']='@file'
_waymark_values['waymark terrain remove 0']='@text'
_waymark_values['waymark terrain show --socket']='@file'
_waymark_values['waymark terrain show 0']='@text'
_waymark_values['waymark wait --horizontal']='@text'
_waymark_values['waymark wait --yaw']='@text'
_waymark_values['waymark wait --timeout']='@text'
_waymark_values['waymark wait --socket']='@file'
_waymark_values['waymark watch --count']='@text'
_waymark_values['waymark watch -n']='@text'
_waymark_values['waymark watch --timeout']='@text'
_waymark_values['waymark watch --rate']='@text'
_waymark_values['waymark watch --predict']='@text'
_waymark_values['waymark watch --socket']='@file'
_waymark_values['waymark --socket']='@file'
_waymark_values['waymark-beacon --target']='@text'
_waymark_values['waymark-beacon --volume']='@text'
_waymark_values['waymark-beacon --device']='@text'
_waymark_values['waymark-beacon --wav']='@file'
_waymark_values['waymark-beacon --seconds']='@text'
_waymark_values['waymark-beacon --socket']='@file'
_waymark_values['waymark-bridge --gpsd']='@text'
_waymark_values['waymark-bridge --nmea-tcp']='@text'
_waymark_values['waymark-bridge --nmea-socket']='@file'
_waymark_values['waymark-bridge --nmea-terminal']='@file'
_waymark_values['waymark-bridge --opentrack']='@text'
_waymark_values['waymark-bridge --mavlink']='@text'
_waymark_values['waymark-bridge --metrics']='@text'
_waymark_values['waymark-bridge --rate']='@text'
_waymark_values['waymark-bridge --config']='@file toml'
_waymark_values['waymark-bridge --socket']='@file'
_waymark_values['waymark-mqtt --config']='@file toml'
_waymark_values['waymark-mqtt --socket']='@file'
_waymark_values['waymark-voice --language']='@text'
_waymark_values['waymark-voice --module']='@text'
_waymark_values['waymark-voice --voice']='@text'
_waymark_values['waymark-voice --rate']='@text'
_waymark_values['waymark-voice --pitch']='@text'
_waymark_values['waymark-voice --volume']='@text'
_waymark_values['waymark-voice --socket']='@file'
_waymark_values['waymarkd --compass-off']='@text'
_waymark_values['waymarkd --gyro-off']='@text'
_waymark_values['waymarkd --config']='@file toml'
_waymark_values['waymarkd --socket']='@file'
_waymark_asked['place']='id . places near --json --limit 100 --radius 10000'
_waymark_asked['placement']='id / scene --json'
_waymark_asked['filter']='name . places filters --json'
_waymark_asked['plan']='id . plan list --json'

# The words up to the one that is completed. bash takes a colon for a word of its own: what it separates is joined.
_waymark_join() {
    local word
    joined=()
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ ${#joined[@]} -gt 1 && ( $word = :* || ${joined[-1]} = *: ) ]]; then
            joined[-1]+=$word
        else
            joined+=("$word")
        fi
    done
}

# Of the words before the one that is completed: the command, how many operands stand behind it, and the option whose
# value is awaited; and the socket. bash takes the = of --option=VALUE for a word of its own.
_waymark_read() {
    local word
    command=${joined[0]##*/} operands=0 option="" socket=()
    for word in "${joined[@]:1:${#joined[@]}-2}"; do
        if [[ -n $option ]]; then
            [[ $word = = ]] && continue
            [[ $option = --socket ]] && socket=(--socket "$word")
            option=
        elif [[ $word = -* ]]; then
            [[ -n ${_waymark_values["$command $word"]-} ]] && option=$word
        elif [[ -n ${_waymark_words["$command"]-} ]]; then
            command="$command $word"
        else
            operands=$((operands + 1))
        fi
    done
}

# Files whose names end in one of some ways, or all without any; and folders.
_waymark_files() {
    local file ending
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -A directory -- "$current")
    while IFS= read -r file; do
        if [[ $# = 0 ]]; then COMPREPLY+=("$file"); fi
        for ending in "$@"; do
            if [[ $file = *."$ending" && ! -d $file ]]; then COMPREPLY+=("$file"); fi
        done
    done < <(compgen -A file -- "$current")
}

# What the daemon knows: the member of its answer, what it contains, and the command that asks. Nothing where there is no daemon.
_waymark_known() {
    local each
    while IFS= read -r each; do
        [[ $each = "$current"* ]] || continue
        printf -v each %q "$each"
        COMPREPLY+=("${each#"${current%"${current##*:}"}"}")
    done < <(timeout 1 waymark "${socket[@]}" "${@:3}" 2>/dev/null | grep -o "\"$1\":\"[^\"\\\\]*\"" | cut -d '"' -f 4 |
        grep -e "$2" | grep -Ev '^cluster/|/(arrow|node)/')
}

_waymark() {
    local current command operands option values joined socket
    _waymark_join
    current=${joined[-1]}
    [[ $current = = ]] && current=
    _waymark_read
    COMPREPLY=()
    if [[ -z $option && $current = -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${_waymark_options["$command"]-}" -- "$current")
        [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} = *= ]] && compopt -o nospace 2>/dev/null
        return 0
    fi
    if [[ -z $option && -n ${_waymark_words["$command"]-} ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${_waymark_words["$command"]}" -- "$current")
        return
    fi
    values=${_waymark_values["$command ${option:-$operands}"]-}
    case $values in
    '' | @text) ;;
    # What stands behind is split into words.
    @file*) _waymark_files ${values#@file} ;;
    @folder)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -A directory -- "$current")
        ;;
    @*) _waymark_known ${_waymark_asked["${values#@}"]} ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current") ;;
    esac
}

complete -F _waymark waymark waymarkd waymark-bridge waymark-mqtt waymark-beacon waymark-voice
