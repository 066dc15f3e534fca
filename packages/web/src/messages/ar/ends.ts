import type { ends as english } from '#src/messages/en/ends.ts'

export const ends: typeof english = {
  ends: {
    start: 'عند فشل تشغيل',
    about: 'يأخذ المسار الخطأ ورابط التشغيل. وإن فشل هو نفسه فلا يبدأ شيء من جديد.',
    when: 'يبدأ حين',
    whens: {
      failed: 'يفشل تشغيل',
      failedOrCancelled: 'يفشل تشغيل أو يُلغى',
      completed: 'يكتمل تشغيل',
      any: 'ينتهي تشغيل كيفما انتهى',
    },
    shown: {
      failed: 'عند فشل تشغيل',
      failedOrCancelled: 'عند فشل تشغيل أو إلغائه',
      completed: 'عند اكتمال تشغيل',
      any: 'عند انتهاء تشغيل',
    },
    of: 'تشغيلات',
    all: 'كل المسارات',
    chosen: 'مسارات مختارة',
    workflows: 'المسارات',
    ofWorkflows: (count) =>
      count === 1 ? 'لمسار واحد' : count === 2 ? 'لمسارين' : count <= 10 ? `لـ ${count} مسارات` : `لـ ${count} مسارًا`,
    remove: 'أزل',
    mappingHint: 'إن تُرك فارغًا أخذ الحدث كله، وفيه ‎.data.error‎ و ‎.data.execution‎ و ‎.data.workflow‎.',
  },
}
