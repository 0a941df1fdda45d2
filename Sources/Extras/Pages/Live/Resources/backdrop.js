// Sky, horizon and ground, drawn by the direction of each pixel. A faint grid on the ground is fixed in the scene.

import {square} from "./eye.js";
import {RADIANS} from "./geometry.js";

/** Default height of the eye above the ground, without an arrow that shows it. Unit: metres. */
const EYE_HEIGHT = 1.6;
/** Distance between the lines of the grid. Unit: metres. */
const GRID = 10;

/** Sky at the zenith and above the horizon, horizon, ground nearby and far away, by the daylight. */
const SKIES = {
    day: ["#2a5078", "#7b9ab4", "#a9bccb", "#3c423b", "#5c655f"],
    civilTwilight: ["#1b2745", "#6f6070", "#b08a78", "#24272b", "#3d3a40"],
    night: ["#0d1522", "#2a3a50", "#4d6079", "#191d20", "#2c3339"]};

const VERTEX = `
varying vec3 direction;
uniform mat4 rotation;
uniform vec2 tangents;
void main() {
    direction = mat3(rotation) * vec3(position.xy * tangents, -1.0);
    gl_Position = vec4(position.xy, 1.0, 1.0);
}`;

const FRAGMENT = `
varying vec3 direction;
uniform vec3 zenith, low, horizon, near, far;
uniform vec3 sun;
uniform vec2 eye;
uniform float depth, glow, soft;
void main() {
    vec3 d = normalize(direction);
    float up = d.y;
    vec3 sky = mix(low, zenith, smoothstep(0.0, 0.7, up));
    sky += glow * vec3(0.16, 0.12, 0.07) * pow(max(dot(d, sun), 0.0), 24.0);
    float away = depth / max(-up, 1e-4);
    vec2 spot = eye + d.xz * away;
    vec2 cell = abs(fract(spot / ${GRID}.0 - 0.5) - 0.5) * ${GRID}.0;
    vec2 lines = 1.0 - smoothstep(vec2(0.0), fwidth(spot) + 0.015, cell);
    float line = max(lines.x, lines.y);
    vec3 ground = mix(near, far, smoothstep(2.0, 90.0, away));
    ground += 0.055 * line * (1.0 - smoothstep(20.0, 70.0, away));
    vec3 color = mix(ground, sky, smoothstep(-soft, soft, up));
    color = mix(color, horizon, 0.7 * (1.0 - smoothstep(soft, 3.0 * soft, abs(up))));
    gl_FragColor = vec4(color, 1.0);
}`;

const direction = (elevation, azimuth, out) => out.set(
    Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation), -Math.cos(elevation) * Math.cos(azimuth));

export class Backdrop {
    #light = "";
    #ground = -EYE_HEIGHT;

    constructor() {
        const color = () => ({value: new THREE.Color()});
        this.uniforms = {
            zenith: color(), low: color(), horizon: color(), near: color(), far: color(),
            rotation: {value: new THREE.Matrix4()},
            tangents: {value: new THREE.Vector2()}, sun: {value: new THREE.Vector3(0, -1, 0)},
            eye: {value: new THREE.Vector2()},
            depth: {value: EYE_HEIGHT}, glow: {value: 0}, soft: {value: 0.001}};
        const material = new THREE.ShaderMaterial({
            uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, depthTest: false, depthWrite: false,
            extensions: {derivatives: true}});
        this.object = new THREE.Mesh(square, material);
        this.object.frustumCulled = false;
        this.object.renderOrder = -1;
        this.setLight("night");
    }

    setLight(light) {
        if (light === this.#light) return;
        this.#light = light;
        const values = SKIES[light] ?? SKIES.day;
        ["zenith", "low", "horizon", "near", "far"].forEach((name, index) =>
            this.uniforms[name].value.set(values[index]));
    }

    /** Sets the height of the ground in the scene, from an object on it. Unit: metres. */
    setGround(height) { this.#ground = height; }

    /** @param yaw Azimuth in the scene of true north. Unit: degrees. */
    update(eye, pixelRatio, sun, yaw) {
        const {uniforms} = this, {position} = eye.pose, half = Math.tan(eye.fieldOfView * RADIANS / 2);
        uniforms.rotation.value.copy(eye.camera.matrixWorld);
        uniforms.tangents.value.set(half, half * eye.height / eye.width);
        uniforms.soft.value = 0.75 / (eye.focal * pixelRatio);
        uniforms.eye.value.set(position.x % GRID, position.z % GRID);
        uniforms.depth.value = Math.max(0.3, position.y - this.#ground);
        if (!sun) return;
        this.setLight(sun.light);
        uniforms.glow.value = sun.light === "day" ? 1 : sun.light === "civilTwilight" ? 1.6 : 0;
        direction(sun.elevation * RADIANS, (sun.azimuth + yaw) * RADIANS, uniforms.sun.value);
    }

    /** Assumes the ground below the eye if no object shows its height. */
    assumeGround(pose) { this.#ground = pose.position.y - EYE_HEIGHT; }
}
