/**
 * Whether every value of `from` stays what it is in `to`. Anything else may lose data or fail on it: a shorter text, fewer
 * digits, another kind of value.
 */
export function holdsAllOf(to, from) {
    switch (from.kind) {
        case 'integer':
            return to.kind === 'integer' && to.min <= from.min && to.max >= from.max;
        case 'decimal':
            return to.kind === 'decimal' && holdsDigits(to, from);
        case 'float':
            return to.kind === 'float' && to.bits >= from.bits;
        case 'text':
            // A CHAR gives its padding up in a VARCHAR, which nobody can tell from what was written; the way back adds some.
            return to.kind === 'text' && (from.padded || !to.padded) && atLeast(to.maxChars, from.maxChars);
        case 'binary':
            return to.kind === 'binary' && !to.padded && !from.padded && atLeast(to.maxBytes, from.maxBytes);
        case 'time':
            return to.kind === 'time' && to.fractionDigits >= from.fractionDigits;
        case 'timestamp':
            return to.kind === 'timestamp' && to.zoned === from.zoned && to.fractionDigits >= from.fractionDigits;
        case 'choice':
            // Databases number the members, so one may only be added at the end.
            return to.kind === 'choice' && from.members.every((member, place) => to.members[place] === member);
        case 'json':
            return to.kind === 'json' && to.binary === from.binary;
        case 'boolean':
        case 'date':
        case 'year':
        case 'uuid':
            return to.kind === from.kind;
    }
}
function holdsDigits(to, from) {
    if (to.precision === undefined)
        return true;
    if (from.precision === undefined)
        return false;
    const [toScale, fromScale] = [to.scale ?? 0, from.scale ?? 0];
    return toScale >= fromScale && to.precision - toScale >= from.precision - fromScale;
}
function atLeast(bound, other) {
    return bound === undefined || (other !== undefined && bound >= other);
}
