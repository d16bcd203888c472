const FORBIDDEN = /[\\\p{Cc}\p{Cs}]/u;
/** What a text literal may hold, in words. */
export const LITERAL_RULE = 'text without backslashes, control characters and unpaired surrogates';
/**
 * Whether a text can stand in a literal and mean the same everywhere. A backslash is an escape or a character depending on
 * MySQL's SQL mode and PostgreSQL's `standard_conforming_strings`, and under some connection character sets it can eat the
 * quote that follows: it is refused, not escaped, and then doubling the quotes is all it takes.
 */
export function isLiteralText(text) {
    return !FORBIDDEN.test(text);
}
/** Prints a text that passed {@link isLiteralText} as an SQL literal. */
export function quoteText(text) {
    return `'${text.replaceAll("'", "''")}'`;
}
/** How many characters a database counts in a text: code points. */
export function countCharacters(text) {
    return Array.from(text).length;
}
