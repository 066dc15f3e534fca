import { onDemand } from '#src/ui/on-demand.tsx'

/** What starts a workflow; the words of its schedules come after its drawing. */
export const StartLine = onDemand(() => import('#src/editor/started-by.tsx').then((module) => module.StartedBy))
