import type { oauth as english } from '#src/messages/en/oauth.ts'

/** نصوص الصفحة التي يسمح فيها شخص لبرنامج بالوصول. */
export const oauth: typeof english = {
  oauth: {
    title: (client) => `هل تسمح لـ ${client}؟`,
    heading: 'السماح لبرنامج',
    text: (client, host) => `يسمّي البرنامج نفسه «${client}» ويريد استخدام مسارات العمل المنشورة في هذا الحساب باسمك. ستعود إلى ${host}.`,
    incomplete: 'هذا الرابط غير مكتمل',
    incompleteText: 'يرسلك برنامج إلى هنا مع طلبه. ابدأ من جديد في ذلك البرنامج.',
    lasts: 'ينتهي الوصول بعد سنة من الآن، أو إذا لم يستخدمه البرنامج 60 يومًا.',
    warning: 'لا تسمح إلا إذا كنت قد وصلته بنفسك الآن. يمكنك إلغاؤه في أي وقت من مفاتيح API.',
    may: 'يجوز له',
    scopes: { 'executions:run': 'تشغيل مسارات العمل التي لا تحتاج موافقة، واقتراح غيرها عليك', 'executions:read': 'قراءة نتائج التشغيل' },
    allow: 'سماح',
    deny: 'رفض',
  },
}
