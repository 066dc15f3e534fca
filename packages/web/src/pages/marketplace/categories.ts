import type { groups, Sent } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'

type Category = Sent<(typeof groups)['marketplace']['publish']>['body']['category']

// The texts have one for each category, by their type.
const names: Readonly<Record<Category, string>> = m.categories

/** The categories under which a workflow can be published. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys of the record above.
export const marketplaceCategories = Object.keys(names) as readonly Category[]
