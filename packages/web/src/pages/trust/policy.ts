import type { groups, Reply } from '@millrace/contract'

export type Policy = Reply<(typeof groups)['privacy']['policies']>['data'][number]
