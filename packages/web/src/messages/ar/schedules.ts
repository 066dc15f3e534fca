import type { Messages } from '#src/messages/messages.ts'

export const schedules: Pick<Messages, 'schedules'> = {
  schedules: {
    language: 'ar-u-nu-latn',
    // Two of a unit stand in the genitive after "every".
    every: (length) => `كل ${length.replace(/ان$/, 'ين')}`,
    after: (length) => `${length} بعد انتهاء التشغيل السابق`,
    hourly: (minute) => `كل ساعة عند الدقيقة ${minute}`,
    daily: (times) => `كل يوم في ${times}`,
    weekdays: (times) => `من الاثنين إلى الجمعة في ${times}`,
    weekly: (days, times) => `كل ${days} في ${times}`,
    monthly: (day, times) => `يوم ${day} من كل شهر في ${times}`,
    once: (time) => `في ${time}`,
    inZone: (words, zone) => `${words} (\u2066${zone}\u2069)`,
  },
}
