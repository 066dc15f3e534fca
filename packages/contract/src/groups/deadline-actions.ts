/** What happens without a decision at the deadline of an approval: it counts as approved or rejected, or the task fails. */
export const deadlineActions = ['approve', 'reject', 'fail'] as const
