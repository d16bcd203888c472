/** The sentence of S0.4's example. */
const COMPLETED = '스키마 및 도메인 엔티티 생성이 완료되었습니다.';
/** The two content items of S0.4: a sentence for people, and the SQL as a resource. */
export function schemaContent(schema) {
    const text = schema.change === 'altered'
        ? `스키마 변경 SQL 생성이 완료되었습니다. 변경 사항: ${schema.notes.join('; ')}`
        : COMPLETED;
    return [
        { type: 'text', text },
        {
            type: 'resource',
            resource: {
                uri: `schema://syncboot/domain/${schema.domainName}`,
                mimeType: 'application/sql',
                text: schema.statements.join('\n\n'),
            },
        },
    ];
}
