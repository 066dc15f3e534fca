import type { groups, Reply } from '@millrace/contract'

export type Subscription = Reply<(typeof groups)['billing']['subscription']>
