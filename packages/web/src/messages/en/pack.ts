/** The form of an evidence pack. */
export const packWords = {
  text: 'A ZIP file with receipts, journals, definitions and audit logs, and a page that verifies all of it without a network.',
  from: 'Runs that ended from',
  fromHint: 'Empty: 30 days before the last day.',
  to: 'To, with that day',
  toHint: (zone: string) => `Empty: the end of yesterday in UTC. Days are in ${zone}.`,
  only: 'Only these runs',
  onlyHint: 'Ids, separated by commas. Instead of a period.',
  nothing: 'The pack would be empty',
  noneEnded: (from: string, to: string) => `No run ended from ${from} to ${to}.`,
  noneNamed: 'None of these runs exists and has ended.',
  nothingText: 'It would have no receipts, no journals and no days of the audit log, and it would say so.',
  makeEmpty: 'Make it all the same',
  others: 'Choose other runs',
  tooLarge: (max: string) => `More than ${max} runs ended in the period. Choose a shorter one.`,
  some: (missing: readonly string[]) => `These runs do not exist or have not ended, and have no receipt: ${missing.join(', ')}`,
  isEmpty: 'No run is in this pack: its report says so.',
}
