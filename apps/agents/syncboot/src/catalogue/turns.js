/** Creates turns for any number of keys; a key costs nothing once its last work has ended. */
export function createTurns() {
    const lastByKey = new Map();
    return {
        take(key, work) {
            const result = (lastByKey.get(key) ?? Promise.resolve()).then(work);
            // Only its end matters to who comes next; how it ended is the business of whoever asked for it.
            const ended = Promise.allSettled([result]).then(() => {
                if (lastByKey.get(key) === ended)
                    lastByKey.delete(key);
            });
            lastByKey.set(key, ended);
            return result;
        },
    };
}
