import { bulk } from '#src/messages/ar/bulk.ts'
import { desk } from '#src/messages/ar/desk.ts'
import { erasures } from '#src/messages/ar/erasures.ts'
import { waysIn } from '#src/messages/ar/ways-in.ts'
import { workflowTabs } from '#src/messages/ar/workflow-tabs.ts'

/** Texts of pages about one workflow, several runs, and the people of an installation. */
export const operations = { ...bulk, ...desk, ...erasures, ...waysIn, ...workflowTabs }
