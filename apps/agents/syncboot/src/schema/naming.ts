import { InvalidDomain } from './refusal.js'

const NAME = /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/

/** The pattern of a name, as the tool's input schema publishes it. */
export const NAME_PATTERN = NAME.source

const NAME_RULE =
  'a name of ASCII letters, digits and single underscores between them that starts with a letter, such as gradeCode'

/** Longest name a caller may send, in characters; what it becomes is bounded by the dialect. */
export const MAX_NAME_CHARS = 64

/**
 * Checks a name. Only what can stand in SQL without quotes passes, so a name can never end an identifier or begin a statement
 * (S2.4). Letters beyond ASCII are refused too: two names that look alike would be two tables.
 * @throws InvalidDomain
 */
export function checkName(name: string, path: string): void {
  if (!isName(name)) throw new InvalidDomain(path, NAME_RULE)
}

/** Whether a domain, field or index may have this name. */
export function isName(name: string): boolean {
  return name.length <= MAX_NAME_CHARS && NAME.test(name)
}

/** `gradeCode` and `GradeCode` become `grade_code`, `HTTPServer` becomes `http_server`; what is snake case stays. */
export function toSnakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}

/** The table of a domain: `MembershipGrade` lives in `tb_membership_grade` (S0.4). */
export function tableNameOf(domainName: string): string {
  return `tb_${toSnakeCase(domainName)}`
}
