# Completion for bash of waymark and waymarkd. Made from the help texts by scripts/completions: `make format` writes it anew.

declare -gA _waymark_words _waymark_options _waymark_values
_waymark_words['waymark']='ahead calibrate devices doctor explain import places pose record replay report route scene share status wait watch'
_waymark_words['waymark calibrate']='accel all export gyro import mag mount noise reset show'
_waymark_words['waymark places']='export favorite filter filters import near search show'
_waymark_words['waymark route']='clear set show to'
_waymark_options['waymark ahead']='--json --limit= --radius= --socket= --help -h'
_waymark_options['waymark calibrate accel']='--json --force --dry-run --timeout= --from= --output= --rate= --unit= --gravity= --gyro-scale= --faces --turn= --socket= --help -o -h'
_waymark_options['waymark calibrate all']='--json --force --dry-run --timeout= --from= --rate= --gravity= --field= --socket= --help -h'
_waymark_options['waymark calibrate export']='--socket= --help -h'
_waymark_options['waymark calibrate gyro']='--json --force --dry-run --timeout= --from= --output= --rate= --unit= --gyro-scale= --socket= --help -o -h'
_waymark_options['waymark calibrate import']='--force --socket= --help -h'
_waymark_options['waymark calibrate mag']='--json --force --dry-run --timeout= --from= --output= --rate= --unit= --field= --socket= --help -o -h'
_waymark_options['waymark calibrate mount']='--json --force --dry-run --timeout= --from= --output= --rate= --unit= --gravity= --accel-scale= --gyro-scale= --socket= --help -o -h'
_waymark_options['waymark calibrate noise']='--json --force --dry-run --timeout= --seconds= --hours= --svg= --from= --output= --rate= --unit= --accel-scale= --gyro-scale= --socket= --help -o -h'
_waymark_options['waymark calibrate reset']='--socket= --help -h'
_waymark_options['waymark calibrate show']='--json --socket= --help -h'
_waymark_options['waymark devices']='--json --socket= --help -h'
_waymark_options['waymark doctor']='--json --seconds= --worn --config= --socket= --help -h'
_waymark_options['waymark explain']='--json --seconds= --id= --socket= --help -h'
_waymark_options['waymark import']='--help -h'
_waymark_options['waymark places export']='--format= --socket= --help -h'
_waymark_options['waymark places favorite']='--remove --socket= --help -h'
_waymark_options['waymark places filter']='--kinds= --radius= --favorites= --save= --use= --remove= --json --socket= --help -h'
_waymark_options['waymark places filters']='--json --socket= --help -h'
_waymark_options['waymark places import']='--source= --replace --json --socket= --help -h'
_waymark_options['waymark places near']='--json --limit= --radius= --kinds= --favorites --position= --socket= --help -h'
_waymark_options['waymark places search']='--json --limit= --position= --socket= --help -h'
_waymark_options['waymark places show']='--json --socket= --help -h'
_waymark_options['waymark pose']='--format= --predict= --at= --clock= --socket= --help -h'
_waymark_options['waymark record']='--duration= --socket= --help -h'
_waymark_options['waymark replay']='--output= --rate= --serve --socket= --help -o -h'
_waymark_options['waymark report']='--output= --help -o -h'
_waymark_options['waymark route clear']='--socket= --help -h'
_waymark_options['waymark route set']='--format= --precision= --name= --socket= --help -h'
_waymark_options['waymark route show']='--json --socket= --help -h'
_waymark_options['waymark route to']='--service= --straight --profile= --keep --json --config= --socket= --help -h'
_waymark_options['waymark scene']='--json --watch --rate= --view= --socket= --help -h'
_waymark_options['waymark share']='--format= --flat --socket= --help -h'
_waymark_options['waymark status']='--json --socket= --help -h'
_waymark_options['waymark wait']='--horizontal= --yaw= --timeout= --socket= --help -h'
_waymark_options['waymark watch']='--json --count= --timeout= --rate= --predict= --socket= --help -n -h'
_waymark_options['waymark']='--socket= --version --help -h'
_waymark_options['waymarkd']='--demo --config= --socket= --check-config --version --help -h'
_waymark_values['waymark ahead --limit']='text'
_waymark_values['waymark ahead --radius']='text'
_waymark_values['waymark ahead --socket']='file'
_waymark_values['waymark calibrate accel --timeout']='text'
_waymark_values['waymark calibrate accel --from']='file'
_waymark_values['waymark calibrate accel --output']='file'
_waymark_values['waymark calibrate accel -o']='file'
_waymark_values['waymark calibrate accel --rate']='text'
_waymark_values['waymark calibrate accel --unit']='si counts'
_waymark_values['waymark calibrate accel --gravity']='text'
_waymark_values['waymark calibrate accel --gyro-scale']='text'
_waymark_values['waymark calibrate accel --turn']='text'
_waymark_values['waymark calibrate accel --socket']='file'
_waymark_values['waymark calibrate all --timeout']='text'
_waymark_values['waymark calibrate all --from']='file'
_waymark_values['waymark calibrate all --rate']='text'
_waymark_values['waymark calibrate all --gravity']='text'
_waymark_values['waymark calibrate all --field']='text'
_waymark_values['waymark calibrate all --socket']='file'
_waymark_values['waymark calibrate export --socket']='file'
_waymark_values['waymark calibrate export 0']='file'
_waymark_values['waymark calibrate gyro --timeout']='text'
_waymark_values['waymark calibrate gyro --from']='file'
_waymark_values['waymark calibrate gyro --output']='file'
_waymark_values['waymark calibrate gyro -o']='file'
_waymark_values['waymark calibrate gyro --rate']='text'
_waymark_values['waymark calibrate gyro --unit']='si counts'
_waymark_values['waymark calibrate gyro --gyro-scale']='text'
_waymark_values['waymark calibrate gyro --socket']='file'
_waymark_values['waymark calibrate import --socket']='file'
_waymark_values['waymark calibrate import 0']='file'
_waymark_values['waymark calibrate mag --timeout']='text'
_waymark_values['waymark calibrate mag --from']='file'
_waymark_values['waymark calibrate mag --output']='file'
_waymark_values['waymark calibrate mag -o']='file'
_waymark_values['waymark calibrate mag --rate']='text'
_waymark_values['waymark calibrate mag --unit']='si counts'
_waymark_values['waymark calibrate mag --field']='text'
_waymark_values['waymark calibrate mag --socket']='file'
_waymark_values['waymark calibrate mount --timeout']='text'
_waymark_values['waymark calibrate mount --from']='file'
_waymark_values['waymark calibrate mount --output']='file'
_waymark_values['waymark calibrate mount -o']='file'
_waymark_values['waymark calibrate mount --rate']='text'
_waymark_values['waymark calibrate mount --unit']='si counts'
_waymark_values['waymark calibrate mount --gravity']='text'
_waymark_values['waymark calibrate mount --accel-scale']='text'
_waymark_values['waymark calibrate mount --gyro-scale']='text'
_waymark_values['waymark calibrate mount --socket']='file'
_waymark_values['waymark calibrate noise --timeout']='text'
_waymark_values['waymark calibrate noise --seconds']='text'
_waymark_values['waymark calibrate noise --hours']='text'
_waymark_values['waymark calibrate noise --svg']='file'
_waymark_values['waymark calibrate noise --from']='file'
_waymark_values['waymark calibrate noise --output']='file'
_waymark_values['waymark calibrate noise -o']='file'
_waymark_values['waymark calibrate noise --rate']='text'
_waymark_values['waymark calibrate noise --unit']='si counts'
_waymark_values['waymark calibrate noise --accel-scale']='text'
_waymark_values['waymark calibrate noise --gyro-scale']='text'
_waymark_values['waymark calibrate noise --socket']='file'
_waymark_values['waymark calibrate reset --socket']='file'
_waymark_values['waymark calibrate reset 0']='gyro accel mag mount noise'
_waymark_values['waymark calibrate show --socket']='file'
_waymark_values['waymark devices --socket']='file'
_waymark_values['waymark doctor --seconds']='text'
_waymark_values['waymark doctor --config']='file'
_waymark_values['waymark doctor --socket']='file'
_waymark_values['waymark explain --seconds']='text'
_waymark_values['waymark explain --id']='text'
_waymark_values['waymark explain --socket']='file'
_waymark_values['waymark import 0']='folder'
_waymark_values['waymark import 1']='file'
_waymark_values['waymark places export --format']='geojson geojsonseq ndjson'
_waymark_values['waymark places export --socket']='file'
_waymark_values['waymark places export 0']='file'
_waymark_values['waymark places favorite --socket']='file'
_waymark_values['waymark places favorite 0']='text'
_waymark_values['waymark places filter --kinds']='text'
_waymark_values['waymark places filter --radius']='text'
_waymark_values['waymark places filter --favorites']='yes no'
_waymark_values['waymark places filter --save']='text'
_waymark_values['waymark places filter --use']='text'
_waymark_values['waymark places filter --remove']='text'
_waymark_values['waymark places filter --socket']='file'
_waymark_values['waymark places filters --socket']='file'
_waymark_values['waymark places import --source']='text'
_waymark_values['waymark places import --socket']='file'
_waymark_values['waymark places import 0']='file'
_waymark_values['waymark places near --limit']='text'
_waymark_values['waymark places near --radius']='text'
_waymark_values['waymark places near --kinds']='text'
_waymark_values['waymark places near --position']='text'
_waymark_values['waymark places near --socket']='file'
_waymark_values['waymark places search --limit']='text'
_waymark_values['waymark places search --position']='text'
_waymark_values['waymark places search --socket']='file'
_waymark_values['waymark places search 0']='text'
_waymark_values['waymark places show --socket']='file'
_waymark_values['waymark places show 0']='text'
_waymark_values['waymark pose --format']='json geopose'
_waymark_values['waymark pose --predict']='text'
_waymark_values['waymark pose --at']='text'
_waymark_values['waymark pose --clock']='boottime realtime'
_waymark_values['waymark pose --socket']='file'
_waymark_values['waymark record --duration']='text'
_waymark_values['waymark record --socket']='file'
_waymark_values['waymark record 0']='file'
_waymark_values['waymark replay --output']='file'
_waymark_values['waymark replay -o']='file'
_waymark_values['waymark replay --rate']='text'
_waymark_values['waymark replay --socket']='file'
_waymark_values['waymark replay 0']='file'
_waymark_values['waymark report --output']='file'
_waymark_values['waymark report -o']='file'
_waymark_values['waymark report 0']='file'
_waymark_values['waymark route clear --socket']='file'
_waymark_values['waymark route set --format']='osrm valhalla mapbox google geojson gpx polyline5 polyline6'
_waymark_values['waymark route set --precision']='5 6'
_waymark_values['waymark route set --name']='text'
_waymark_values['waymark route set --socket']='file'
_waymark_values['waymark route set 0']='file'
_waymark_values['waymark route show --socket']='file'
_waymark_values['waymark route to --service']='text'
_waymark_values['waymark route to --profile']='text'
_waymark_values['waymark route to --config']='file'
_waymark_values['waymark route to --socket']='file'
_waymark_values['waymark route to 0']='text'
_waymark_values['waymark scene --rate']='text'
_waymark_values['waymark scene --view']='text'
_waymark_values['waymark scene --socket']='file'
_waymark_values['waymark share --format']='geo json'
_waymark_values['waymark share --socket']='file'
_waymark_values['waymark status --socket']='file'
_waymark_values['waymark wait --horizontal']='text'
_waymark_values['waymark wait --yaw']='text'
_waymark_values['waymark wait --timeout']='text'
_waymark_values['waymark wait --socket']='file'
_waymark_values['waymark watch --count']='text'
_waymark_values['waymark watch -n']='text'
_waymark_values['waymark watch --timeout']='text'
_waymark_values['waymark watch --rate']='text'
_waymark_values['waymark watch --predict']='text'
_waymark_values['waymark watch --socket']='file'
_waymark_values['waymark --socket']='file'
_waymark_values['waymarkd --config']='file'
_waymark_values['waymarkd --socket']='file'

# Of the words before the one that is completed: the command, how many operands stand behind it, and the option whose
# value is awaited. bash takes the = of --option=VALUE for a word of its own.
_waymark_read() {
    local word
    command=${COMP_WORDS[0]##*/} operands=0 option=
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ -n $option ]]; then
            [[ $word = = ]] || option=
        elif [[ $word = -* ]]; then
            [[ -n ${_waymark_values["$command $word"]-} ]] && option=$word
        elif [[ -n ${_waymark_words["$command"]-} ]]; then
            command="$command $word"
        else
            operands=$((operands + 1))
        fi
    done
}

_waymark() {
    local current=${COMP_WORDS[COMP_CWORD]} command operands option values
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
    '' | text) ;;
    file | folder)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -A "${values/folder/directory}" -- "$current")
        ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current") ;;
    esac
}

complete -F _waymark waymark waymarkd
