/** The call of S0.2. */
export const MEMBERSHIP_GRADE = {
    domainName: 'MembershipGrade',
    fields: [
        { name: 'gradeCode', type: 'VARCHAR(20)', nullable: false, primaryKey: true },
        { name: 'discountRate', type: 'DECIMAL(5,2)', nullable: false, defaultValue: '0.00' },
        { name: 'minSpentAmount', type: 'BIGINT', nullable: false, defaultValue: '0' },
    ],
    enableAuditing: true,
};
/** The SQL of S0.4, byte for byte. */
export const MEMBERSHIP_GRADE_SQL = 'CREATE TABLE tb_membership_grade (\n  grade_code VARCHAR(20) PRIMARY KEY,\n  discount_rate DECIMAL(5,2) NOT NULL DEFAULT 0.00,\n  min_spent_amount BIGINT NOT NULL DEFAULT 0,\n  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,\n  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP\n);';
/** The content of S0.4, byte for byte. */
export const MEMBERSHIP_GRADE_CONTENT = [
    { type: 'text', text: '스키마 및 도메인 엔티티 생성이 완료되었습니다.' },
    {
        type: 'resource',
        resource: {
            uri: 'schema://syncboot/domain/MembershipGrade',
            mimeType: 'application/sql',
            text: MEMBERSHIP_GRADE_SQL,
        },
    },
];
/** The same call with other members. */
export function membershipGrade(changes) {
    return { ...MEMBERSHIP_GRADE, ...changes };
}
