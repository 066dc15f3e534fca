import { onDemand } from '#src/ui/on-demand.tsx'

/** The forms of starts, which are loaded when one of them is opened. */
export const EndForm = onDemand(() => import('#src/starts/end-form.tsx').then((module) => module.EndForm))
export const EventForm = onDemand(() => import('#src/starts/event-form.tsx').then((module) => module.EventForm))
export const FormForm = onDemand(() => import('#src/starts/form-form.tsx').then((module) => module.FormForm))
export const ScheduleForm = onDemand(() => import('#src/starts/schedule-form.tsx').then((module) => module.ScheduleForm))
export const WatchForm = onDemand(() => import('#src/starts/watch-form.tsx').then((module) => module.WatchForm))
export const WebhookForm = onDemand(() => import('#src/starts/webhook-form.tsx').then((module) => module.WebhookForm))
