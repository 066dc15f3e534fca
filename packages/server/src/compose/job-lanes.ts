import type { JobLanes } from '#platform/jobs/lane.ts'

/** The jobs that a person waits for, and those that may last minutes or hours. All others end soon. */
export const jobLanes: JobLanes = {
  'mail.send': 'urgent',
  'sms.send': 'urgent',
  'account.export': 'lasting',
  'archivist.evidence-pack': 'lasting',
  'privacy.erase': 'lasting',
  'privacy.report': 'lasting',
}
