import type { groups, Reply } from '@millrace/contract'

/** An approval of a run, with what was asked and answered. */
export type Approval = Reply<(typeof groups)['approvals']['ofExecution']>['data'][number]
