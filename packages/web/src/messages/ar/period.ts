import type { period as english } from '#src/messages/en/period.ts'

/** التصفية حسب المدة. */
export const period: typeof english = {
  label: 'المدة',
  any: 'أي وقت',
  names: {
    hour: 'آخر ساعة',
    today: 'اليوم',
    yesterday: 'أمس',
    week: 'آخر 7 أيام',
    days30: 'آخر 30 يومًا',
    month: 'هذا الشهر',
    lastMonth: 'الشهر الماضي',
    lastQuarter: 'الربع الماضي',
  },
  custom: 'من … إلى …',
  from: 'من',
  to: 'إلى، مع ذلك اليوم',
  toShort: 'إلى',
  zone: (zone) => `الأيام بتوقيت ${zone}`,
  backwards: 'اليوم الأول بعد اليوم الأخير.',
}
