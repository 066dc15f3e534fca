import type { modelLimits as english } from '#src/messages/en/model-limits.ts'

export const modelLimits: typeof english = {
  modelLimits: {
    title: 'حدود الإنفاق',
    lede: 'تُرفض الاستدعاءات التي تبدأ عند بلوغ حدّ حتى تنتهي الفترة أو يُرفع الحدّ. تُحتسب كل النماذج. الحقل الفارغ يعني بلا حدّ.',
    none: 'لم يُعيَّن حدّ. الحدّ ينبّه في الوقت المناسب ويرفض الاستدعاءات بعده.',
    set: 'تعيين حدّ',
    change: 'تغيير الحدود',
    monthCost: 'التكلفة في الشهر',
    monthTokens: 'الرموز في الشهر',
    dayCost: 'التكلفة في اليوم',
    dayTokens: 'الرموز في اليوم',
    tokensHint: 'وكذلك للنماذج التي لا أسعار لها.',
    warnPercent: 'إشعار المسؤولين عند نسبة مئوية',
    warns: (percent) => `يُشعَر المسؤولون عند ${percent}٪ وعند بلوغ الحدّ.`,
    of: (used, limit) => `${used} من ${limit}`,
    reached: 'بُلغ الحدّ:',
    resets: 'يبدأ من جديد',
    forecast: 'بهذا المعدّل في نهاية الشهر:',
    unpriced: 'بلا أسعار:',
    unpricedHelp: 'لا يستطيع حدّ التكلفة احتساب استدعاءاتها. أعطها أسعارًا، أو حدّد الرموز.',
  },
}
