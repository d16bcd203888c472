/**
 * Says in Korean what each change does, and where it can fail on rows that exist: the agent never sees the data, so it is the
 * reader who knows whether there are such rows.
 */
export function describeChange(change) {
    switch (change.kind) {
        case 'column-added': {
            const { column } = change;
            const bare = !column.nullable && column.defaultSql === undefined;
            const risk = bare ? ' (기본값 없는 NOT NULL: 기존 행이 있으면 값을 먼저 정해야 합니다)' : '';
            return `컬럼 추가 ${column.name} ${column.type.sql}${risk}`;
        }
        case 'column-changed':
            return `컬럼 변경 ${change.after.name}: ${describeColumnChange(change.before, change.after).join(', ')}`;
        case 'index-added': {
            const { name, columns, unique } = change.index;
            const risk = unique ? ' (중복 값이 있으면 실패합니다)' : '';
            return `${unique ? '유니크 ' : ''}인덱스 추가 ${name} (${columns.join(', ')})${risk}`;
        }
    }
}
function describeColumnChange(before, after) {
    const parts = [];
    if (before.type.sql !== after.type.sql)
        parts.push(`타입 ${before.type.sql} → ${after.type.sql}`);
    if (before.nullable && !after.nullable)
        parts.push('NOT NULL 설정 (NULL인 행이 있으면 실패합니다)');
    if (!before.nullable && after.nullable)
        parts.push('NOT NULL 해제');
    if (before.defaultSql !== after.defaultSql) {
        parts.push(`기본값 ${before.defaultSql ?? '없음'} → ${after.defaultSql ?? '없음'}`);
    }
    if (before.touchedOnUpdate !== after.touchedOnUpdate) {
        parts.push(after.touchedOnUpdate ? '수정 시각 자동 갱신 설정' : '수정 시각 자동 갱신 해제');
    }
    return parts;
}
