import { firstRuns } from './first-runs.ts'
import { lastRuns } from './last-runs.ts'
import { middleRuns } from './middle-runs.ts'
import type { TemplateRun } from './template-run.ts'

/** Runs of every template that is not in the tests of `from-template`, by name. */
export const templateRuns: Readonly<Record<string, readonly TemplateRun[]>> = { ...firstRuns, ...middleRuns, ...lastRuns }
