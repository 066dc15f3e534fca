import type { groups, Reply } from '@millrace/contract'

export type Provider = Reply<(typeof groups)['signInProviders']['list']>['data'][number]
