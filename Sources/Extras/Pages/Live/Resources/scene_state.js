// The scene from the messages of a subscription: a snapshot first, then changes.

export class SceneState {
    /** Placements by their ids, as received. */
    placements = new Map();
    /** The newest message; null until there is one. */
    message = null;
    /** Increases with each change of the placements. */
    version = 0;

    /** Clears the state, since another subscription begins. */
    reset() {
        this.placements.clear();
        this.message = null;
        this.version += 1;
    }

    /** Applies a message; false if earlier messages are missing, so that the subscription has to be repeated. */
    apply(message) {
        const isNext = this.message && message.revision === this.message.revision + 1;
        if (!message.snapshot && !isNext) return false;
        if (message.snapshot) this.placements.clear();
        for (const id of message.removed) this.placements.delete(id);
        for (const placement of message.changed) this.placements.set(placement.id, placement);
        if (message.snapshot || message.removed.length || message.changed.length) this.version += 1;
        this.message = message;
        return true;
    }

    /** Whether its positions are in the scene frame of a pose: those of another generation are invalid. */
    fits(pose) { return this.message !== null && pose !== null && this.message.generation === pose.generation; }
}
