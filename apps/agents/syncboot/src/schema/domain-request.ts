import { MAX_DEFAULT_CHARS } from '../sql/default-value.js'
import { DIALECT_NAMES, type DialectName } from '../sql/dialect.js'
import type { DefaultValue } from '../sql/printed-default.js'
import { MAX_TYPE_CHARS } from '../sql/type-text.js'
import { MAX_NAME_CHARS, NAME_PATTERN } from './naming.js'

/** One field of a domain as a caller writes it. */
export interface FieldRequest {
  readonly name: string
  readonly type: string
  /** Default true, as in SQL; a primary key is never null. */
  readonly nullable?: boolean
  /** Default false. */
  readonly primaryKey?: boolean
  /** None, or null, for no default. */
  readonly defaultValue?: DefaultValue | null
}

/** One index over fields, named as fields or as columns. */
export interface IndexRequest {
  readonly name: string
  readonly columns: readonly string[]
  /** Default false. */
  readonly unique?: boolean
}

/** The arguments of `syncboot_generate_schema` (S0.2), held to {@link DOMAIN_SCHEMA}. */
export interface DomainRequest {
  readonly domainName: string
  readonly fields: readonly FieldRequest[]
  /** Adds `created_at` and `updated_at`. Default false. */
  readonly enableAuditing?: boolean
  /** Default `mysql`. */
  readonly dialect?: DialectName
  readonly indexes?: readonly IndexRequest[]
}

/**
 * Most fields of a domain. Together with the bounds on types and defaults it keeps the counting of tokens, whose time grows with
 * the square of a word's length, below three seconds even for arguments that are made to be slow.
 */
const MAX_FIELDS = 256

const NAME = { type: 'string', maxLength: MAX_NAME_CHARS, pattern: NAME_PATTERN }

const FIELD = {
  type: 'object',
  // A misspelt `primarykey` must not become a table without its key: members that nobody knows are refused.
  additionalProperties: false,
  required: ['name', 'type'],
  properties: {
    name: { ...NAME, description: 'Becomes a column in snake case: gradeCode is stored in grade_code.' },
    type: {
      type: 'string',
      maxLength: MAX_TYPE_CHARS,
      description: 'A column type of the dialect, e.g. VARCHAR(20), DECIMAL(5,2), BIGINT.',
    },
    nullable: { type: 'boolean', default: true, description: 'Must be false for a field of the primary key.' },
    primaryKey: { type: 'boolean', default: false, description: 'Several fields make a composite primary key.' },
    defaultValue: {
      type: ['string', 'number', 'boolean', 'null'],
      maxLength: MAX_DEFAULT_CHARS,
      description:
        'A value of the type, not SQL; a string keeps all digits. CURRENT_TIMESTAMP on timestamps and CURRENT_DATE on dates mean now. null is no default.',
    },
  },
}

const INDEX = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'columns'],
  properties: {
    name: NAME,
    columns: { type: 'array', minItems: 1, maxItems: 16, items: NAME, description: 'Names of fields, in order.' },
    unique: { type: 'boolean', default: false },
  },
}

/** JSON Schema of {@link DomainRequest}. It holds the shape; what the dialect makes of it is `design.ts`. */
export const DOMAIN_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['domainName', 'fields'],
  properties: {
    domainName: { ...NAME, description: 'Becomes a table: MembershipGrade is stored in tb_membership_grade.' },
    fields: { type: 'array', minItems: 1, maxItems: MAX_FIELDS, items: FIELD },
    enableAuditing: { type: 'boolean', default: false, description: 'Adds created_at and updated_at.' },
    dialect: { enum: DIALECT_NAMES, default: 'mysql' },
    indexes: { type: 'array', maxItems: 60, items: INDEX },
  },
}
