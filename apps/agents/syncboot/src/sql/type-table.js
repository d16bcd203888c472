import { InvalidDomain } from '../schema/refusal.js';
import { MAX_TYPE_CHARS, parseTypeText } from './type-text.js';
/**
 * Reads a type by a closed table, in any case and spacing.
 * @throws InvalidDomain that says what the table knows
 */
export function readType(table, value, path) {
    if (typeof value !== 'string')
        throw new InvalidDomain(path, 'a string');
    const parsed = parseTypeText(value);
    if (parsed === undefined) {
        throw new InvalidDomain(path, `a ${table.title} type such as VARCHAR(20), at most ${MAX_TYPE_CHARS} characters long`);
    }
    const rule = table.rules.find(({ names }) => names.includes(parsed.name));
    if (rule === undefined) {
        throw new InvalidDomain(path, `a type that SyncBoot knows in ${table.title}: ${ownNames(table)}`);
    }
    const type = rule.build(parsed);
    if (type === undefined)
        throw new InvalidDomain(path, rule.usage);
    return type;
}
function ownNames(table) {
    return table.rules.map(({ names }) => names[0]).join(', ');
}
/** Whether a type was written without parameters. */
export function isBare({ numbers, texts }) {
    return numbers.length === 0 && texts.length === 0;
}
/**
 * The only parameter, when it is a whole number within the bounds.
 * @param fallback what a bare type means; undefined when the number may not be left out
 */
export function readLength({ numbers, texts }, min, max, fallback) {
    if (texts.length > 0 || numbers.length > 1)
        return undefined;
    const length = numbers[0] ?? fallback;
    return length !== undefined && length >= min && length <= max ? length : undefined;
}
/** Precision and scale as `(p)` or `(p,s)` with `s` at most `p`; a bare type is `(10,0)`, as MySQL has it. */
export function readDigits({ numbers, texts }, maxPrecision, maxScale) {
    const [precision = 10, scale = 0] = numbers;
    if (texts.length > 0 || numbers.length > 2)
        return undefined;
    if (precision < 1 || precision > maxPrecision || scale > maxScale || scale > precision)
        return undefined;
    return { precision, scale };
}
