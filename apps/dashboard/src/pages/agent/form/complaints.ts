/** Says what is wrong, given what the schema asks for: one thing, or all that would do. */
type Complaint = (...limits: readonly string[]) => string

/** Keywords of a schema whose complaints have words of their own. */
type Keyword =
  | 'required'
  | 'type'
  | 'enum'
  | 'const'
  | 'minLength'
  | 'maxLength'
  | 'format'
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'
  | 'minItems'
  | 'maxItems'
  | 'uniqueItems'

/** What a form says is wrong, by the schema's keyword; `other` for all that have no words of their own. */
export type Complaints = Readonly<Record<Keyword | 'other', Complaint>>

const named = (types: readonly string[], names: Readonly<Record<string, string>>): string =>
  types.map((type) => names[type] ?? type).join(', ')

const TYPES_EN = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  object: 'an object in JSON, such as {"name": "value"}',
  array: 'a list in JSON, such as ["value"]',
  null: 'nothing',
}

const TYPES_KO = {
  string: '텍스트',
  number: '숫자',
  integer: '정수',
  boolean: '예 또는 아니요',
  object: 'JSON 객체(예: {"name": "value"})',
  array: 'JSON 목록(예: ["value"])',
  null: '빈 값',
}

/** Complaints in English. */
export const COMPLAINTS_EN: Complaints = {
  required: () => 'This is needed.',
  type: (...types) => `What fits here: ${named(types, TYPES_EN)}.`,
  enum: (...values) => `One of these: ${values.join(', ')}.`,
  const: (value) => `It has to be “${value}”.`,
  minLength: (limit) => `At least ${limit} characters.`,
  maxLength: (limit) => `At most ${limit} characters.`,
  format: (format) => `It has to be written as “${format}”.`,
  minimum: (limit) => `At least ${limit}.`,
  maximum: (limit) => `At most ${limit}.`,
  exclusiveMinimum: (limit) => `More than ${limit}.`,
  exclusiveMaximum: (limit) => `Less than ${limit}.`,
  multipleOf: (limit) => `A multiple of ${limit}.`,
  minItems: (limit) => `At least ${limit} in the list.`,
  maxItems: (limit) => `At most ${limit} in the list.`,
  uniqueItems: () => 'Nothing may be in the list twice.',
  other: () => 'This does not fit.',
}

/** Complaints in Korean. */
export const COMPLAINTS_KO: Complaints = {
  required: () => '꼭 필요한 값입니다.',
  type: (...types) => `입력할 수 있는 값: ${named(types, TYPES_KO)}.`,
  enum: (...values) => `다음 중 하나여야 합니다: ${values.join(', ')}.`,
  const: (value) => `값이 “${value}”이어야 합니다.`,
  minLength: (limit) => `${limit}자 이상이어야 합니다.`,
  maxLength: (limit) => `${limit}자 이하여야 합니다.`,
  format: (format) => `“${format}” 형식이어야 합니다.`,
  minimum: (limit) => `${limit} 이상이어야 합니다.`,
  maximum: (limit) => `${limit} 이하여야 합니다.`,
  exclusiveMinimum: (limit) => `${limit}보다 커야 합니다.`,
  exclusiveMaximum: (limit) => `${limit}보다 작아야 합니다.`,
  multipleOf: (limit) => `${limit}의 배수여야 합니다.`,
  minItems: (limit) => `${limit}개 이상이어야 합니다.`,
  maxItems: (limit) => `${limit}개 이하여야 합니다.`,
  uniqueItems: () => '같은 값이 두 번 있습니다.',
  other: () => '맞지 않는 값입니다.',
}
