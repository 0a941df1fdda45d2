// What fingers and the mouse do on an element: drag, pinch, press and press for long.

/** Largest movement of a press, pixels, and the time from which on it is a long one, milliseconds. */
const STILL = 6, LONG = 550;

export class Gestures {
    #pointers = new Map();
    #pressed = null;

    /**
     * @param element Element that is watched, which has no gestures of the browser's own.
     * @param handlers `drag(right, down)` and `pinch(factor, x, y)` while it happens, `press(x, y, isLong)` at its
     * end, a long one as soon as it is long. In pixels of the element.
     */
    constructor(element, handlers) {
        Object.assign(this, {element, handlers});
        element.addEventListener("pointerdown", (event) => this.#begin(event));
        element.addEventListener("pointermove", (event) => this.#move(event));
        element.addEventListener("pointerup", (event) => this.#end(event, true));
        element.addEventListener("pointercancel", (event) => this.#end(event, false));
        element.addEventListener("contextmenu", (event) => event.preventDefault());
    }

    #begin(event) {
        this.element.setPointerCapture(event.pointerId);
        const point = {x: event.offsetX, y: event.offsetY};
        this.#pointers.set(event.pointerId, point);
        this.#release();
        if (this.#pointers.size > 1) return;
        // The right button, which has no long press, is one.
        if (event.button === 2) return this.handlers.press(point.x, point.y, true);
        this.#pressed = {...point, timer: setTimeout(() => this.#press(true), LONG)};
    }

    #press(isLong) {
        const pressed = this.#release();
        if (pressed) this.handlers.press(pressed.x, pressed.y, isLong);
    }

    /** Ends a press that has not been reported. */
    #release() {
        const pressed = this.#pressed;
        clearTimeout(pressed?.timer);
        this.#pressed = null;
        return pressed;
    }

    #move(event) {
        const old = this.#pointers.get(event.pointerId);
        if (!old) return;
        const now = {x: event.offsetX, y: event.offsetY};
        if (this.#pressed && Math.hypot(now.x - this.#pressed.x, now.y - this.#pressed.y) <= STILL) return;
        this.#release();
        this.#pointers.set(event.pointerId, now);
        if (this.#pointers.size === 1) return this.handlers.drag(now.x - old.x, now.y - old.y);
        const other = [...this.#pointers].find(([id]) => id !== event.pointerId)[1];
        const before = Math.hypot(old.x - other.x, old.y - other.y);
        const after = Math.hypot(now.x - other.x, now.y - other.y);
        this.handlers.pinch(after / Math.max(before, 1), (now.x + other.x) / 2, (now.y + other.y) / 2);
    }

    #end(event, isRelease) {
        this.#pointers.delete(event.pointerId);
        if (isRelease) this.#press(false);
        else this.#release();
    }
}
