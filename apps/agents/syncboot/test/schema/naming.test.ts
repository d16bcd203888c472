import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { checkName, tableNameOf, toSnakeCase } from '../../src/schema/naming.js'
import { InvalidDomain } from '../../src/schema/refusal.js'

function passes(name: string): boolean {
  try {
    checkName(name, 'domainName')
    return true
  } catch (error) {
    if (error instanceof InvalidDomain) return false
    throw error
  }
}

describe('names', () => {
  test.each([
    ['gradeCode', 'grade_code'],
    ['GradeCode', 'grade_code'],
    ['grade_code', 'grade_code'],
    ['Grade_Code', 'grade_code'],
    ['HTTPServer', 'http_server'],
    ['userID', 'user_id'],
    ['address2Line', 'address2_line'],
    ['ID', 'id'],
    ['a', 'a'],
  ])('turns %s into %s', (name, expected) => {
    expect(toSnakeCase(name)).toBe(expected)
  })

  test('puts a domain into a table with a prefix', () => {
    expect(tableNameOf('MembershipGrade')).toBe('tb_membership_grade')
  })

  test('stay what they are once they are in snake case', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,30}$/), (name) => {
        expect(toSnakeCase(toSnakeCase(name))).toBe(toSnakeCase(name))
      }),
    )
  })

  test.each([
    'a; DROP TABLE users',
    'a`b',
    'a"b',
    "a'b",
    'a--',
    'a/*b*/',
    'a b',
    'a\n',
    'a\u0000',
    'a.b',
    '../../etc/passwd',
    '1a',
    '_a',
    'a_',
    'a__b',
    '',
    '등급',
    'gr\u0430de',
    'a\u2028b',
    'a'.repeat(65),
  ])('refuses %j, which could be more than a name', (name) => {
    expect(() => checkName(name, 'fields.0.name')).toThrow(InvalidDomain)
  })

  test('that pass can never end an identifier', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 70 }), (name) => {
        if (!passes(name)) return
        expect(toSnakeCase(name)).toMatch(/^[a-z][a-z0-9_]*$/)
      }),
    )
  })
})
