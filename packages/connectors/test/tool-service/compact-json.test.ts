import { describe, expect, test } from '@jest/globals'
import { compactJson } from '../../src/tool-service/compact-json.js'

describe('compactJson', () => {
  test.each<[string, string]>([
    ['{}', '{}'],
    [' { "a" : [ 1 , 2.50 , -0 , 1e5 ] ,\r\n\t"b" : null } ', '{"a":[1,2.50,-0,1e5],"b":null}'],
    ['"a  b"', '"a  b"'],
    ['[ "\\\\" , "\\" ]" , "  " ]', '["\\\\","\\" ]","  "]'],
    ['7 ', '7'],
  ])('takes the blanks out of %j and nothing else', (text, compact) => {
    expect(compactJson(text)).toBe(compact)
    expect(JSON.parse(compactJson(text))).toEqual(JSON.parse(text))
  })

  test('takes strings of some megabytes', () => {
    const text = `[ ${JSON.stringify('x\\" '.repeat(2_000_000))} ]`
    expect(compactJson(text)).toHaveLength(text.length - 2)
  })
})
