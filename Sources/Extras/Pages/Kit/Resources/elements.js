// Elements of a page. Text from outside becomes text alone, never markup.

/** Makes an element with its content; attributes that are undefined or empty are left out. */
export const element = (name, attributes = {}, ...content) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined && value !== "") made.setAttribute(key, value);
    }
    made.append(...content);
    return made;
};

export const button = (text, attributes, action) => {
    const made = element("button", {type: "button", ...attributes}, text);
    made.addEventListener("click", action);
    return made;
};

/** A button with a sign, and with a label that says what it does. */
export const tool = (sign, label, action) => button(sign, {"aria-label": label, title: label}, action);

/** Sets the text of an element where it is another one. */
export const setText = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
};

export const setClass = (element, name) => {
    if (element.className !== name) element.className = name;
};

/** Acts on keys that are pressed without Ctrl, Alt and Meta; `actionsOf` gives a function for each by its name. */
export const onKeys = (element, actionsOf) => element.addEventListener("keydown", (event) => {
    const action = actionsOf(event)[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    action();
});
