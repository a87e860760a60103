/** The element's texts in other languages than English. The keys are those of words.js, which describes their format. */

const de = {
  waiting: 'Zum Aktualisieren ziehen', primed: 'Zum Aktualisieren loslassen', loading: 'Wird aktualisiert …',
  connecting: 'Verbinden …', queued: 'Wird bei Verbindung aktualisiert',

  refresh: 'Aktualisieren', cancel: 'Abbrechen', hide: 'Ausblenden', retry: 'Erneut versuchen', loadMore: 'Mehr laden',
  loadingMore: 'Wird geladen …', notMore: 'Laden fehlgeschlagen', exhausted: 'Keine weiteren Einträge',
  missed: '↑ # neu', details: 'Details', find: 'Suchen', noneFound: 'Nichts gefunden', empty: 'Noch keine Einträge', notLoaded: 'Noch nicht geladen', offline: 'Offline',

  now: 'gerade eben', updated: 'Aktualisiert: #', stale: 'Nicht aktuell', share: '# von #', cancelled: 'Abgebrochen',
  noNews: 'Keine neuen Einträge', news: { one: '# neuer Eintrag', other: '# neue Einträge' },
  newOf: 'Neu: # #', changedOf: 'Geändert: # #', changes: { one: '# Eintrag geändert', other: '# Einträge geändert' }, upToDate: 'Auf dem neuesten Stand',

  unread: 'Ungelesen', markSeen: 'Als gelesen markieren', markUnseen: 'Als ungelesen markieren',
  actionsFor: 'Aktionen für #', undo: 'Rückgängig', actFailed: 'Fehlgeschlagen', actQueued: 'Wartet auf Verbindung',

  failed: 'Aktualisierung fehlgeschlagen', unknownList: 'Liste nicht gefunden',
  notShown: 'Diese Liste kann nicht angezeigt werden', unavailable: 'Der Server ist nicht erreichbar.',

  errors: {
    commandFailed: 'Der Befehl endete mit Status #.', commandKilled: 'Der Befehl wurde durch Signal # beendet.',
    commandMissing: 'Der Befehl wurde nicht gefunden oder darf nicht ausgeführt werden.',
    sourceMissing: 'Die Quelle ist nicht da.', noAnswer: '# hat in # s nicht geantwortet.',
    unreachable: '# ist nicht erreichbar.', badStatus: '# antwortete mit Status #.',
    timeout: 'Die Quelle hat # s lang nichts gesendet.',
    overdue: 'Frühere Aktualisierungen dieser Liste laufen noch.',
    abandoned: 'Die Aktualisierung wurde vor ihrem Ende aufgegeben.',
    duplicateKey: 'Zwei Einträge haben denselben Schlüssel.', internal: 'Die Aktualisierung ist fehlgeschlagen (#).',
    unauthorised: 'Bitte melde dich an.', forbidden: 'Du darfst das nicht.',
    rateLimited: 'Das waren zu viele Anfragen. Bitte warte einen Moment.',
    unavailable: 'Die Liste kann im Moment nicht gelesen werden.', interrupted: 'Es ist nicht bekannt, ob das ausgeführt wurde.',
  },
};

const fr = {
  waiting: 'Tirez pour actualiser', primed: 'Relâchez pour actualiser', loading: 'Actualisation…',
  connecting: 'Connexion…', queued: 'Actualisation dès la connexion',

  refresh: 'Actualiser', cancel: 'Annuler', hide: 'Masquer', retry: 'Réessayer', loadMore: 'Afficher plus', loadingMore: 'Chargement…',
  notMore: 'Échec du chargement', exhausted: 'Fin de la liste', missed: '↑ Nouveau\u00a0: #', details: 'Détails', find: 'Rechercher', noneFound: 'Aucun résultat', empty: 'Rien pour le moment', notLoaded: 'Pas encore chargé',
  offline: 'Hors ligne',

  now: 'à l’instant', updated: 'Actualisé\u00a0: #', stale: 'Pas à jour', share: '# sur #', cancelled: 'Annulé',
  noNews: 'Aucun nouvel élément', news: { one: '# nouvel élément', other: '# nouveaux éléments' },
  newOf: 'Nouveau\u00a0: # #', changedOf: 'Modifié\u00a0: # #', changes: { one: '# élément modifié', other: '# éléments modifiés' }, upToDate: 'À jour',

  unread: 'Non lu', markSeen: 'Marquer comme lu', markUnseen: 'Marquer comme non lu',
  actionsFor: 'Actions pour #', undo: 'Annuler l’action', actFailed: 'Échec', actQueued: 'En attente de connexion',

  failed: 'Échec de l’actualisation', unknownList: 'Liste introuvable', notShown: 'Impossible d’afficher cette liste',
  unavailable: 'Le serveur est injoignable.',

  errors: {
    commandFailed: 'La commande s’est terminée avec le code #.',
    commandKilled: 'La commande a été arrêtée par le signal #.',
    commandMissing: 'La commande est introuvable ou ne peut pas être exécutée.',
    sourceMissing: 'La source est absente.', noAnswer: '# n’a pas répondu en # s.', unreachable: '# est injoignable.',
    badStatus: '# a répondu avec le code #.', timeout: 'La source n’a rien envoyé pendant # s.',
    overdue: 'Des actualisations précédentes sont encore en cours.',
    abandoned: 'L’actualisation a été abandonnée avant la fin.', duplicateKey: 'Deux éléments ont la même clé.',
    internal: 'L’actualisation a échoué (#).', unauthorised: 'Veuillez vous connecter.',
    forbidden: 'Vous n’en avez pas le droit.', rateLimited: 'Trop de demandes. Veuillez patienter un instant.',
    unavailable: 'La liste est illisible pour le moment.', interrupted: 'On ignore si cela a été fait.',
  },
};

const es = {
  waiting: 'Desliza para actualizar', primed: 'Suelta para actualizar', loading: 'Actualizando…',
  connecting: 'Conectando…', queued: 'Se actualizará al conectar',

  refresh: 'Actualizar', cancel: 'Cancelar', hide: 'Ocultar', retry: 'Reintentar', loadMore: 'Cargar más', loadingMore: 'Cargando…',
  notMore: 'No se pudo cargar más', exhausted: 'No hay más elementos', missed: '↑ Novedades: #', details: 'Detalles', find: 'Buscar', noneFound: 'Sin resultados',
  empty: 'Aún no hay nada', notLoaded: 'Aún sin cargar', offline: 'Sin conexión',

  now: 'ahora mismo', updated: 'Actualizado: #', stale: 'Desactualizado', share: '# de #', cancelled: 'Cancelado',
  noNews: 'No hay elementos nuevos', news: { one: '# elemento nuevo', other: '# elementos nuevos' },
  newOf: 'Novedades: # #', changedOf: 'Cambios: # #', changes: { one: '# elemento cambiado', other: '# elementos cambiados' }, upToDate: 'Todo al día',

  unread: 'No leído', markSeen: 'Marcar como leído', markUnseen: 'Marcar como no leído',
  actionsFor: 'Acciones para #', undo: 'Deshacer', actFailed: 'No se pudo hacer', actQueued: 'Esperando conexión',

  failed: 'No se pudo actualizar', unknownList: 'No se encontró la lista', notShown: 'No se puede mostrar esta lista',
  unavailable: 'No se pudo conectar con el servidor.',

  errors: {
    commandFailed: 'El comando terminó con el estado #.', commandKilled: 'La señal # detuvo el comando.',
    commandMissing: 'No se encontró el comando o no se puede ejecutar.',
    sourceMissing: 'Falta el origen de los datos.', noAnswer: '# no respondió en # s.',
    unreachable: 'No se pudo contactar con #.', badStatus: '# respondió con el estado #.',
    timeout: 'El origen no envió nada durante # s.', overdue: 'Aún se están ejecutando actualizaciones anteriores.',
    abandoned: 'La actualización se abandonó antes de terminar.',
    duplicateKey: 'Dos elementos tienen la misma clave.', internal: 'La actualización falló (#).',
    unauthorised: 'Inicia sesión.', forbidden: 'No tienes permiso.',
    rateLimited: 'Demasiadas solicitudes. Espera un momento.',
    unavailable: 'La lista no se puede leer en este momento.', interrupted: 'No se sabe si se llegó a hacer.',
  },
};

const ja = {
  waiting: '引き下げて更新', primed: '指を離して更新', loading: '更新中…', connecting: '接続中…', queued: '接続後に更新します',

  refresh: '更新', cancel: 'キャンセル', hide: '非表示', retry: '再試行', loadMore: 'さらに読み込む', loadingMore: '読み込み中…', notMore: '読み込めませんでした',
  exhausted: 'これ以上ありません', missed: '↑ 新着#件', details: '詳細', find: '検索', noneFound: '見つかりませんでした', empty: 'まだ何もありません', notLoaded: '未読み込み', offline: 'オフライン',

  now: 'たった今', updated: '最終更新：#', stale: '古い内容', share: '#/#件', cancelled: 'キャンセルしました', noNews: '新着はありません',
  news: { other: '新着#件' },
  newOf: '新着：# #', changedOf: '変更：# #', changes: { other: '#件を変更' }, upToDate: '最新の状態です',

  unread: '未読', markSeen: '既読にする', markUnseen: '未読にする',
  actionsFor: '#の操作', undo: '元に戻す', actFailed: '実行できませんでした', actQueued: '接続を待っています',

  failed: '更新できませんでした', unknownList: 'リストが見つかりません', notShown: 'このリストは表示できません', unavailable: 'サーバーに接続できません。',

  errors: {
    commandFailed: 'コマンドが状態#で終了しました。', commandKilled: 'コマンドがシグナル#で終了しました。', commandMissing: 'コマンドが見つからないか、実行できません。',
    sourceMissing: 'データ元がありません。', noAnswer: '#が#秒以内に応答しませんでした。', unreachable: '#に接続できません。', badStatus: '#が状態#を返しました。',
    timeout: 'データ元から#秒間何も届きませんでした。', overdue: '以前の更新がまだ実行中です。', abandoned: '更新が途中で中止されました。',
    duplicateKey: '同じキーの項目が2つあります。', internal: '更新できませんでした（#）。', unauthorised: 'サインインしてください。',
    forbidden: '許可されていません。', rateLimited: 'リクエストが多すぎます。少しお待ちください。', unavailable: 'リストを現在読み込めません。', interrupted: '実行されたかどうかは不明です。',
  },
};

const zh = {
  waiting: '下拉刷新', primed: '松开刷新', loading: '正在刷新…', connecting: '正在连接…', queued: '连接后刷新',

  refresh: '刷新', cancel: '取消', hide: '隐藏', retry: '重试', loadMore: '加载更多', loadingMore: '正在加载…', notMore: '加载失败',
  exhausted: '没有更多了', missed: '↑ #条新内容', details: '详细信息', find: '查找', noneFound: '未找到', empty: '暂无内容', notLoaded: '尚未加载', offline: '已离线',

  now: '刚刚', updated: '#更新', stale: '不是最新', share: '#/#', cancelled: '已取消', noNews: '没有新内容', news: { other: '#条新内容' },
  newOf: '新增 # #', changedOf: '有变化：# #', changes: { other: '#条有变化' }, upToDate: '已是最新',

  unread: '未读', markSeen: '标为已读', markUnseen: '标为未读',
  actionsFor: '#的操作', undo: '撤销', actFailed: '操作失败', actQueued: '等待连接',

  failed: '刷新失败', unknownList: '找不到列表', notShown: '无法显示此列表', unavailable: '无法连接服务器。',

  errors: {
    commandFailed: '命令以状态 # 结束。', commandKilled: '命令被信号 # 终止。', commandMissing: '找不到命令或无法执行。',
    sourceMissing: '数据源不存在。', noAnswer: '# 在 # 秒内没有响应。', unreachable: '无法连接 #。', badStatus: '# 返回了状态 #。',
    timeout: '数据源 # 秒内没有发送任何内容。', overdue: '之前的刷新仍在进行。', abandoned: '刷新未完成就被放弃。', duplicateKey: '有两项的键相同。',
    internal: '刷新失败（#）。', unauthorised: '请登录。', forbidden: '没有权限。', rateLimited: '请求过多，请稍候。',
    unavailable: '暂时无法读取此列表。', interrupted: '不清楚是否已执行。',
  },
};

const hant = {
  waiting: '下拉更新', primed: '放開更新', loading: '正在更新…', connecting: '正在連線…', queued: '連線後更新',

  refresh: '更新', cancel: '取消', hide: '隱藏', retry: '重試', loadMore: '載入更多', loadingMore: '正在載入…', notMore: '載入失敗',
  exhausted: '沒有更多了', missed: '↑ #則新內容', details: '詳細資訊', find: '尋找', noneFound: '找不到', empty: '尚無內容', notLoaded: '尚未載入', offline: '已離線',

  now: '剛剛', updated: '#更新', stale: '不是最新', share: '#/#', cancelled: '已取消', noNews: '沒有新內容', news: { other: '#則新內容' },
  newOf: '新增 # #', changedOf: '有變化：# #', changes: { other: '#則有變化' }, upToDate: '已是最新',

  unread: '未讀', markSeen: '標示為已讀', markUnseen: '標示為未讀',
  actionsFor: '#的操作', undo: '復原', actFailed: '操作失敗', actQueued: '等待連線',

  failed: '更新失敗', unknownList: '找不到列表', notShown: '無法顯示此列表', unavailable: '無法連線伺服器。',

  errors: {
    commandFailed: '指令以狀態 # 結束。', commandKilled: '指令被訊號 # 終止。', commandMissing: '找不到指令或無法執行。',
    sourceMissing: '資料來源不存在。', noAnswer: '# 在 # 秒內沒有回應。', unreachable: '無法連線 #。', badStatus: '# 傳回了狀態 #。',
    timeout: '資料來源 # 秒內沒有傳送任何內容。', overdue: '先前的更新仍在進行。', abandoned: '更新未完成就被放棄。', duplicateKey: '有兩則的鍵相同。',
    internal: '更新失敗（#）。', unauthorised: '請登入。', forbidden: '沒有權限。', rateLimited: '要求過多，請稍候。',
    unavailable: '暫時無法讀取此列表。', interrupted: '不清楚是否已執行。',
  },
};

const ar = {
  waiting: 'اسحب للتحديث', primed: 'اترك للتحديث', loading: 'جارٍ التحديث…', connecting: 'جارٍ الاتصال…',
  queued: 'سيتم التحديث عند الاتصال',

  refresh: 'تحديث', cancel: 'إلغاء', hide: 'إخفاء', retry: 'إعادة المحاولة', loadMore: 'تحميل المزيد', loadingMore: 'جارٍ التحميل…',
  notMore: 'تعذّر التحميل', exhausted: 'لا يوجد المزيد', missed: '↑ جديد: #', details: 'التفاصيل', find: 'بحث', noneFound: 'لم يُعثر على شيء', empty: 'لا يوجد شيء بعد', notLoaded: 'لم تُحمَّل بعد',
  offline: 'غير متصل',

  now: 'الآن', updated: 'آخر تحديث: #', stale: 'غير محدَّث', share: '# من #', cancelled: 'تم الإلغاء',
  noNews: 'لا عناصر جديدة', news: {
    zero: 'لا عناصر جديدة', one: 'عنصر جديد', two: 'عنصران جديدان', few: '# عناصر جديدة',
    many: '# عنصرًا جديدًا', other: '# عنصر جديد',
  },
  newOf: 'جديد: # #', changedOf: 'تغيّر: # #', changes: {
    one: 'تغيّر عنصر', two: 'تغيّر عنصران', few: 'تغيّرت # عناصر', many: 'تغيّر # عنصرًا', other: 'تغيّر # عنصر',
  },
  upToDate: 'محدَّث',

  unread: 'غير مقروء', markSeen: 'وضع علامة كمقروء', markUnseen: 'وضع علامة كغير مقروء',
  actionsFor: 'إجراءات #', undo: 'تراجع', actFailed: 'تعذّر التنفيذ', actQueued: 'بانتظار الاتصال',

  failed: 'تعذّر التحديث', unknownList: 'القائمة غير موجودة', notShown: 'تعذّر عرض هذه القائمة',
  unavailable: 'تعذّر الوصول إلى الخادم.',

  errors: {
    commandFailed: 'انتهى الأمر بالحالة #.', commandKilled: 'أُنهي الأمر بالإشارة #.',
    commandMissing: 'الأمر غير موجود أو لا يمكن تنفيذه.', sourceMissing: 'المصدر غير موجود.',
    noAnswer: 'لم يستجب # خلال # ث.', unreachable: 'تعذّر الوصول إلى #.', badStatus: 'أجاب # بالحالة #.',
    timeout: 'لم يرسل المصدر شيئًا لمدة # ث.', overdue: 'ما زالت تحديثات سابقة جارية.',
    abandoned: 'أُوقف التحديث قبل اكتماله.', duplicateKey: 'لعنصرين المفتاح نفسه.', internal: 'تعذّر التحديث (#).',
    unauthorised: 'يُرجى تسجيل الدخول.', forbidden: 'لا تملك الإذن.', rateLimited: 'طلبات كثيرة جدًا. انتظر لحظة.',
    unavailable: 'تتعذّر قراءة القائمة الآن.', interrupted: 'لا يُعرف هل نُفِّذ هذا.',
  },
};

/** By the first two letters of a locale; `hant` is Chinese as written in Taiwan, Hong Kong and Macao. */
export const languages = { de, fr, es, ja, zh, hant, ar };
