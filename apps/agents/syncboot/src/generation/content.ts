import type { EmbeddedResource, TextContent } from '@synchub/protocol'
import type { GeneratedSchema } from './generation.js'

/** The URI of a domain's schema (S0.4). */
export const DOMAIN_URI = 'schema://syncboot/domain/{domain}'

/** The media type of SQL (RFC 6922). */
export const SQL_TYPE = 'application/sql'

/** The sentence of S0.4's example. */
const COMPLETED = '스키마 및 도메인 엔티티 생성이 완료되었습니다.'

/** Statements as one text. */
export function joinStatements(statements: readonly string[]): string {
  return statements.join('\n\n')
}

/** The two content items of S0.4: a sentence for people, and the SQL as a resource. */
export function schemaContent(
  schema: GeneratedSchema,
): readonly [TextContent, EmbeddedResource & { resource: { text: string } }] {
  const text =
    schema.change === 'altered'
      ? `스키마 변경 SQL 생성이 완료되었습니다. 변경 사항: ${schema.notes.join('; ')}`
      : COMPLETED
  return [
    { type: 'text', text },
    {
      type: 'resource',
      resource: {
        uri: DOMAIN_URI.replace('{domain}', schema.domainName),
        mimeType: SQL_TYPE,
        text: joinStatements(schema.statements),
      },
    },
  ]
}
