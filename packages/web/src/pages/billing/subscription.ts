import type { groups, Reply } from '@millrace/contract'

export type Subscription = Reply<(typeof groups)['billing']['subscription']>
export type Plans = Reply<(typeof groups)['billing']['plans']>
export type Plan = Plans['data'][number]

/** Whether the account has the plan of its subscription; otherwise it has that of the installation. */
export function hasPlan({ state }: Subscription): boolean {
  return state !== 'cancelled' && state !== 'expired'
}
