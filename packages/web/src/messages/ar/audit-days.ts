import type { auditDays as english } from '#src/messages/en/audit-days.ts'

export const auditDays: typeof english = {
  auditDays: {
    days: 'أيام السجل بتوقيت UTC',
    day: (date) => `يوم السجل: ${date} بتوقيت UTC`,
    search: 'نص أو اسم',
    entries: (count) => `القيود: ${count}`,
    text: 'تحقق منه هنا: يجلب هذا الجهاز اليوم ويحسب كل قيد من جديد ويفحص التواقيع.',
    intact: (date) => `يوم ${date} (UTC) كامل ولم يتغير`,
    differs: (date) => `يوم ${date} (UTC) لا يطابق ما وُقّع`,
    checked: (leaves, checkpoints, took) => `القيود المحسوبة على هذا الجهاز: ${leaves} في ${took}. نقاط التوقيع المطابقة: ${checkpoints}.`,
    seen: (leaves, by) => `شهد عليه آخرون حتى القيد ${leaves}: ${by}.`,
    stamp: 'جهة ختم الوقت',
    verifyHere: 'تحقق من هذا اليوم',
    proof: 'عرض الإثبات',
    export: 'تصدير مع الإثبات',
    allDays: 'كل الأيام',
  },
}
