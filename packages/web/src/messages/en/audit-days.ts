/** The days of the audit log. */
export const auditDays = {
  auditDays: {
    days: 'Days of the log, in UTC',
    day: (date: string) => `Day of the log: ${date}, UTC`,
    search: 'Text or a name',
    entries: (count: string) => `${count} entries`,
    text: 'Verify it here: this device fetches the day, computes every entry again and checks the signatures.',
    intact: (date: string) => `${date} (UTC) is complete and unchanged`,
    differs: (date: string) => `${date} (UTC) does not match what was signed`,
    checked: (leaves: number, checkpoints: number, took: string) =>
      `${leaves} entries hashed on this device in ${took}; ${checkpoints} signed checkpoints match.`,
    seen: (leaves: number, by: string) => `Seen by others up to entry ${leaves}: ${by}.`,
    stamp: 'time stamp authority',
    verifyHere: 'Verify this day',
    proof: 'See the proof',
    export: 'Export with proof',
    allDays: 'All days',
  },
}
