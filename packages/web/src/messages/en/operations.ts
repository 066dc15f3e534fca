import { bulk } from '#src/messages/en/bulk.ts'
import { desk } from '#src/messages/en/desk.ts'
import { erasures } from '#src/messages/en/erasures.ts'
import { waysIn } from '#src/messages/en/ways-in.ts'
import { workflowTabs } from '#src/messages/en/workflow-tabs.ts'

/** Texts of pages about one workflow, several runs, and the people of an installation. */
export const operations = { ...bulk, ...desk, ...erasures, ...waysIn, ...workflowTabs }
