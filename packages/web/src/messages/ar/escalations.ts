import type { escalations as english } from '#src/messages/en/escalations.ts'

/** What follows while no one decides: the cards of approvals that have it load them themselves. */
export const escalations: typeof english = {
  also: (time, who) => `إن لم يُتخذ قرار حتى ${time} أمكن أن يقرر أيضًا: ${who}.`,
  instead: (time, who) => `إن لم يُتخذ قرار حتى ${time} انتقل القرار إلى: ${who}.`,
  notice: (time, who) => `إن لم يُتخذ قرار حتى ${time} أُرسل إشعار إلى: ${who}.`,
  obstacle: {
    no_one: 'لا يمكن الوصول إلى أحد يحق له أن يقرر.',
    too_few: 'عدد الموافقات المطلوبة أكبر من عدد من ما زالوا يستطيعون أن يقرروا.',
  },
  obstacleAdvice: {
    no_one: {
      admin: 'دع شخصًا آخر يقرر، بعد دعوته إن لم يوجد، أو ألغِ التشغيل وسمِّ موافقين آخرين في مسار العمل.',
      other: 'اطلب من أحد مديري الحساب أن يدع شخصًا آخر يقرر.',
    },
    too_few: {
      admin: 'ارفضه، أو ألغِ التشغيل، واطلب موافقات أقل أو سمِّ موافقين أكثر في مسار العمل.',
      other: 'اطلب من أحد مديري الحساب إلغاء التشغيل وتغيير الموافقين في مسار العمل.',
    },
  },
}
