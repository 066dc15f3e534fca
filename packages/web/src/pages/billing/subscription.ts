import type { groups, Reply } from '@millrace/contract'

export type Subscription = Reply<(typeof groups)['billing']['subscription']>

/** Whether the account has the plan of its subscription; otherwise it has that of the installation. */
export function hasPlan({ state }: Subscription): boolean {
  return state !== 'cancelled' && state !== 'expired'
}
