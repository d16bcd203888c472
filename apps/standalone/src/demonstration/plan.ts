/** The example call of contract S0.4. */
const SCHEMA_ARGUMENTS = {
  domainName: 'MembershipGrade',
  fields: [
    { name: 'gradeCode', type: 'VARCHAR(20)', nullable: false, primaryKey: true },
    { name: 'discountRate', type: 'DECIMAL(5,2)', nullable: false, defaultValue: '0.00' },
    { name: 'minSpentAmount', type: 'BIGINT', nullable: false, defaultValue: '0' },
  ],
  enableAuditing: true,
}

/**
 * What SyncVerse is asked to do in the demonstration: three steps side by side, one at each of the other agents, and one that waits for
 * two of them and takes a value of the first one's result.
 */
export const DEMONSTRATION_PLAN = {
  steps: [
    { id: 'schema', tool: 'syncboot_generate_schema', arguments: SCHEMA_ARGUMENTS },
    {
      id: 'research',
      tool: 'syncinsight_deep_research',
      arguments: {
        question: 'How does a watcher that lost its connection resume a trace without missing an event?',
        sources: ['readme', 'docs', 'packages'],
      },
    },
    {
      id: 'regression',
      tool: 'synceta_run_regression',
      // Those cases that make no calls of their own: the demonstration leaves one trace behind.
      arguments: { suite: 'synchub', filter: 'is refused' },
    },
    {
      id: 'follow-up',
      tool: 'syncinsight_deep_research',
      dependsOn: ['regression'],
      arguments: {
        question: 'What does a hub refuse, and how does it say so?',
        sources: ['docs'],
        maxFindings: { $from: 'research', path: '/findings' },
      },
    },
  ],
}
