import { onDemand } from '#src/ui/on-demand.tsx'

// What shows text is drawn with a library that loads when the first of it opens; the form of an input loads with the first run or sample.
export const TextPane = onDemand(() => import('#src/editor/text-pane.tsx').then((module) => module.TextPane))
export const ConflictDialog = onDemand(() => import('#src/editor/conflict-dialog.tsx').then((module) => module.ConflictDialog))
export const RunSheet = onDemand(() => import('#src/run-input/run-sheet.tsx').then((module) => module.RunSheet))
export const SampleSheet = onDemand(() => import('#src/editor/sample-sheet.tsx').then((module) => module.SampleSheet))
