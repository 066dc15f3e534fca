/** When schedules are due, in words that continue a sentence. */
export const schedules = {
  schedules: {
    /** Of numbers, days and dates. */
    language: 'en-GB',
    every: (length: string) => `every ${length.replace(/^1 /, '')}`,
    after: (length: string) => `${length} after the last run`,
    hourly: (minute: number) => `every hour at minute ${minute}`,
    daily: (times: string) => `every day at ${times}`,
    weekdays: (times: string) => `weekdays at ${times}`,
    weekly: (days: string, times: string) => `every ${days} at ${times}`,
    monthly: (day: number, times: string) => `on day ${day} of every month at ${times}`,
    once: (time: string) => `on ${time}`,
    inZone: (words: string, zone: string) => `${words} (${zone})`,
  },
}
