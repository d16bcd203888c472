import { quoteText } from './literal.js';
const NOW = /^(?:current_timestamp(?:\(([0-6])?\))?|now\(\))$/i;
const TODAY = /^current_date(?:\(\))?$/i;
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.([0-9]{1,6}))?$/;
const TIMESTAMP = /^([0-9-]{10})[ T]([0-9:.]{8,15})(Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])?$/;
/** Whether a text is a keyword that stands for the current date or time. */
export function namesTheCurrentTime(text) {
    return NOW.test(text) || TODAY.test(text);
}
/** Reads the default of a date or time column: a literal of a day and time that exist, or the keyword for now. */
export function readTemporal(value, values, rules) {
    const text = typeof value === 'string' ? value : '';
    switch (values.kind) {
        case 'date':
            if (TODAY.test(text))
                return { sql: rules.currentDateSql };
            return isDate(text, rules.earliestYear)
                ? { sql: quoteText(text) }
                : { expected: 'a day that exists, as YYYY-MM-DD, or CURRENT_DATE' };
        case 'time': {
            const time = readTime(text, values.fractionDigits);
            return time === undefined
                ? { expected: `a time of day, as HH:MM:SS with at most ${values.fractionDigits} digits of a fraction` }
                : { sql: quoteText(time) };
        }
        case 'timestamp':
            return readTimestamp(text, values, rules);
    }
}
function readTimestamp(text, { zoned, fractionDigits }, rules) {
    const now = NOW.exec(text);
    if (now !== null && (now[1] === undefined || Number(now[1]) === fractionDigits)) {
        return {
            sql: fractionDigits === rules.bareFractionDigits ? 'CURRENT_TIMESTAMP' : `CURRENT_TIMESTAMP(${fractionDigits})`,
        };
    }
    const needsOffset = zoned && rules.zonedLiteral === 'offset';
    const years = zoned && rules.zonedLiteral !== 'offset' ? rules.zonedLiteral : undefined;
    const [, date = '', clock = '', offset = ''] = TIMESTAMP.exec(text) ?? [];
    const time = readTime(clock, fractionDigits);
    const year = Number(date.slice(0, 4));
    const inYears = years === undefined || (year >= years.fromYear && year <= years.toYear);
    if (time === undefined || !isDate(date, rules.earliestYear) || (offset !== '') !== needsOffset || !inYears) {
        const form = `YYYY-MM-DD HH:MM:SS${needsOffset ? '+HH:MM' : ''} with at most ${fractionDigits} digits of a fraction`;
        const range = years === undefined ? '' : ` between ${years.fromYear} and ${years.toYear}`;
        return { expected: `CURRENT_TIMESTAMP, or a time that exists${range}, as ${form}` };
    }
    return { sql: quoteText(`${date} ${time}${offset === 'Z' ? '+00:00' : offset}`) };
}
/** Whether the text is a day of the calendar: 30 February is none. */
function isDate(text, earliestYear) {
    const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
    if (year === '' || Number(year) < earliestYear)
        return false;
    const date = new Date(`${text}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day) && date.getUTCMonth() + 1 === Number(month);
}
/** A time of day in its one spelling, without zeros at the end of the fraction. */
function readTime(text, maxFractionDigits) {
    const fraction = TIME.exec(text)?.[2];
    if (!TIME.test(text) || (fraction ?? '').length > maxFractionDigits)
        return undefined;
    return fraction === undefined ? text : text.replace(/\.?0+$/, '');
}
