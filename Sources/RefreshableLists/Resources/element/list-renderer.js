var x='[command="--refresh"]',O=new WeakMap;"commandForElement"in HTMLButtonElement.prototype||addEventListener("click",r=>{let[t]=r.composedPath(),e=t.closest?.(`${x}[commandfor]:enabled`);e?.getRootNode().getElementById(e.getAttribute("commandfor"))?.dispatchEvent(Object.assign(new Event("command"),{command:"--refresh"}))});function j({target:r},t){let e=r instanceof Element&&r.closest(`${x}:not([commandfor])`);return Boolean(e)&&!e.disabled&&e.closest(t.localName)===t}function I(r,t){let e=O.get(r)??new Set;O.set(r,e);for(let n of t?e:[...it(r),...ot(r)])n.disabled||e.add(n),n.disabled=!t;t&&e.clear()}function it(r){return[...r.querySelectorAll(`${x}:not([commandfor])`)].filter(e=>e.closest(r.localName)===r)}function ot(r){return r.id?r.getRootNode().querySelectorAll(`${x}[commandfor="${CSS.escape(r.id)}"]`):[]}var st=matchMedia("(prefers-reduced-motion: reduce)"),y=()=>st.matches;var at=new Set(["svg","path","circle","rect"]);function l(r,t={},...e){let n=at.has(r)?document.createElementNS("http://www.w3.org/2000/svg",r):document.createElement(r);for(let i of Object.keys(t))n.setAttribute(i,`${t[i]}`);return n.append(...e),n}var A=(r,...t)=>l("svg",{viewBox:`0 0 ${r} ${r}`,"aria-hidden":"true"},...t.map(e=>l("path",{d:e}))),R=(r,...t)=>l("button",{part:r,type:"button"},...t);function T(r){let t=new CSSStyleSheet;return t.replaceSync(r),t}var lt=260,qt=T(`
:host {
  --rl-accent: var(--refreshable-accent, light-dark(#076750, #4fd3ad));
  --rl-danger: var(--refreshable-danger, light-dark(#b3261e, #ffb1a8));
  --rl-warning: var(--refreshable-warning, light-dark(#8a5700, #f2c46d));
  --rl-background: var(--refreshable-background, Canvas);
  --rl-surface: var(--refreshable-surface, color-mix(in srgb, currentColor 4%, transparent));
  --rl-quiet: color-mix(in srgb, currentColor 64%, transparent);
  --rl-line: color-mix(in srgb, currentColor 11%, transparent);
  --rl-gutter: var(--refreshable-gutter, 16px);
  --rl-radius: var(--refreshable-radius, 16px);
  display: flex; flex-direction: column; position: relative; line-height: 1.35; -webkit-tap-highlight-color: transparent;
  overflow-wrap: anywhere;
}
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; margin: 0; }
svg { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; flex: none; }
button { font: inherit; color: inherit; border: 0; background: none; cursor: pointer; touch-action: manipulation; }
button:focus-visible, a:focus-visible { outline: 2px solid var(--rl-accent); outline-offset: 2px; }
h2:focus, .row:focus { outline: none; }
.visually-hidden {
  position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; inset-block-start: 0;
}

[part=bar] { position: sticky; inset-block-start: 0; z-index: 2; container-type: inline-size; }
.bar-content {
  position: relative; z-index: 1; display: flex; align-items: center; gap: 4px;
  padding-block: calc(8px + var(--refreshable-inset-top, 0px)) 8px;
  padding-inline: var(--rl-gutter) calc(var(--rl-gutter) - 8px);
  min-block-size: 64px;
  background: color-mix(in srgb, var(--rl-background) 86%, transparent);
  -webkit-backdrop-filter: blur(18px); backdrop-filter: blur(18px);
}
.titles { flex: 1; min-inline-size: 0; }
[part=heading] {
  font-size: 1.375rem; font-weight: 700; letter-spacing: -.021em; white-space: nowrap;
  overflow: hidden; text-overflow: ellipsis;
  unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent;
}
[part=updated] {
  font-size: .8125rem; color: var(--rl-quiet); font-variant-numeric: tabular-nums; min-block-size: 1.35em;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
:host([stale]) [part=updated] { color: var(--rl-warning); }
:host([stale]) [part=updated]:not(:empty)::before {
  content: ''; display: inline-block; border: 3px solid; border-radius: 50%; margin-inline-end: .5em; vertical-align: .08em;
}
/* Large letters on a small screen: the words below the buttons. */
@container (max-width: 19rem) {
  .bar-content { flex-wrap: wrap; }
  [part=cancel] { margin-inline-start: auto; }
  [part=cancel][hidden] + [part=refresh] { margin-inline-start: auto; }
  .titles { flex: 1 0 100%; order: 1; }
  [part=heading], [part=updated] { white-space: normal; }
}
[part=refresh] {
  inline-size: 44px; block-size: 44px; border-radius: 50%; display: grid; place-items: center;
  color: var(--rl-accent); transition: background .15s, opacity .15s;
}
[part=refresh] svg { inline-size: 24px; block-size: 24px; }
[part=refresh]:disabled { color: var(--rl-quiet); opacity: .45; cursor: default; }
[part=cancel], [part=retry] {
  min-block-size: 44px; padding-inline: 12px; border-radius: 22px; color: var(--rl-accent); font-weight: 600;
  font-size: .9375rem;
}
@media (hover: hover) { button:hover:enabled { background: color-mix(in srgb, var(--rl-accent) 12%, transparent); } }
button:active:enabled { background: color-mix(in srgb, var(--rl-accent) 20%, transparent); }

.gap { position: absolute; inset: 100% 0 auto; block-size: ${lt}px; overflow: clip; pointer-events: none; }
.indicator { visibility: hidden; }
[part=content] { flex: 1 0 auto; padding-block-end: calc(24px + env(safe-area-inset-bottom, 0px)); }
[part=rows], [part=skeleton], ::slotted([slot=rows]), [inert] { list-style: none; padding: 0; margin: 0 var(--rl-gutter); }
[part=rows], [part=skeleton] { background: var(--rl-surface); border-radius: var(--rl-radius); }
[part=skeleton] {
  mask-image: linear-gradient(#000, #0003); animation: breathe 1.6s ease-in-out infinite alternate;
}
[part=skeleton] p { display: grid; gap: 9px; align-content: center; block-size: 65px; padding-inline: 16px; }
[part=skeleton] i { inline-size: 62%; block-size: 12px; border-radius: 6px; background: var(--rl-line); }
[part=skeleton] :nth-child(even) i { inline-size: 44%; }
[part=skeleton] i + i { inline-size: 28% !important; block-size: 10px; }
@keyframes breathe { to { opacity: .45; } }
[part=rows]:not(:empty) ~ slot [part=skeleton] { margin-block-start: 12px; }
[part=rows]:not(:empty) ~ slot [part=skeleton] p:nth-child(n + 3) { display: none; }

@media (prefers-reduced-motion: reduce) { [part=skeleton] { animation: none; } }
@media (forced-colors: active) {
  :host { --rl-accent: CanvasText; --rl-danger: CanvasText; }
  .bar-content { background: Canvas; }
  button, [part=rows]:not(:empty), [part=skeleton], [part=skeleton] i { border: 1px solid; }
}
`);function p(r,t){r.textContent!==t&&(r.textContent=t)}var ct=()=>l("slot",{name:"error"},l("div",{part:"error"},A(24,"M12 3a9 9 0 1 1-.01 0Z","M12 7.5v5.4m0 3.3v.1"),l("p",{},l("strong",{"data-field":"title"}),l("span",{"data-field":"message"})),R("retry"),l("slot",{name:"unknown"}))),dt=()=>l("div",{part:"empty"},A(48,"M16 7h16a7 7 0 0 1 7 7v20a7 7 0 0 1-7 7H16a7 7 0 0 1-7-7V14a7 7 0 0 1 7-7Z","M17 17h14M17 24h14M17 31h8"),l("strong"),l("span"),R("retry")),v=class{#e=ct();#t=dt();#r=[l("slot",{name:"empty"}),l("slot",{name:"offline"})];#n;more=l("div",{part:"more"},l("span"),l("button",{type:"button"}));constructor({content:t,rows:e},n){this.more.hidden=!0,t.querySelector("slot").after(this.#e),e.after(this.more,...this.#r),this.#n=[this.#e,this.#t].map(i=>i.querySelector("button"));for(let i of this.#n)i.addEventListener("click",n)}name({retry:t}){for(let e of this.#n)p(e,t)}paint(t,e,n,i){this.#e.hidden=!t,this.#n[0].hidden=Boolean(t?.isFinal),this.#e.querySelector("[name=unknown]").hidden=!t?.isUnknown;for(let o of t?this.#e.assignedElements({flatten:!0}):[])for(let a of o.querySelectorAll("[data-field]"))p(a,t[a.dataset.field]??"");for(let o of this.#r)o.hidden=o.name!==e,!o.hidden&&!o.firstChild&&o.append(this.#t);this.#n[1].hidden=e!=="offline",e&&(p(this.#t.querySelector("strong"),n),p(this.#t.querySelector("span"),i))}};var Ft=navigator.vendor.startsWith("Apple")&&!CSS.supports("-webkit-touch-callout","none"),pt=r=>/^(auto|scroll|overlay)$/.test(getComputedStyle(r).overflowY),ht=r=>r.scrollHeight>r.clientHeight&&pt(r);function*ut(r){for(let t=r;t&&t!==document.body;t=t.assignedSlot??t.parentNode??t.host)t instanceof Element&&(yield t)}function h(r){for(let t of ut(r))if(ht(t))return t;return document.scrollingElement??document.documentElement}function u(r){return r.scrollTop<=.5}var m=class{#e;held=new Set;#t;constructor({bar:t,content:e,rows:n},i){this.#t=i;let o=n.getBoundingClientRect().top,a=u(i)&&o-e.getBoundingClientRect().top>1;this.#e=a?[]:[...this.#r(n.children,t.getBoundingClientRect().bottom)]}hold(t){let[e,n]=this.#e.find(([o])=>o.isConnected&&!t.has(o))??[];if(!e)return null;let i=e.getBoundingClientRect().top-n;return Math.abs(i)>=1&&(this.#t.scrollTop+=i),e}*#r(t,e){for(let n of t){let{top:i,bottom:o}=n.getBoundingClientRect();if(!(o<=e)){if(i>=innerHeight)break;n.dataset.key?yield[n,i]:(this.held.add(n),yield*this.#r(n.children,e))}}}};var L=32;function*f(r){for(let t of r.children)yield*t.children}function*g(r){for(let t of f(r))yield*t.children}function D(r,t,e){k(t),r.firstElementChild||r.append(l("div",{class:"groups"},l("div",{class:"group"}))),B(t,e?.parentNode??f(r).next().value,e)}function k(r){let t=r.parentNode;Y(t),r.remove(),t?.className&&!t.firstElementChild&&k(t)}function F(r,t,e){for(let n of[...f(r),...r.children]){let i=e.has(n),o=i?-t:t;o===n.said&&(n.count||!t)||(n.said=o,n.style=t?`contain: style; content-visibility: ${i?"visible":"auto"}; contain-intrinsic-block-size: auto ${ft(n,t)}px`:"")}}var ft=(r,t)=>U(r)*t+(r.className==="group"?0:r.childElementCount),U=r=>r.count??=r.className==="group"?r.childElementCount:[...r.children].reduce((t,e)=>t+U(e),0);function Y(r){r?.className&&(r.count=r.parentNode.count=null)}function B(r,t,e){e?e.after(r):t.prepend(r),Y(t);let n=r.className==="group"&&r.nextSibling?2*L:L;if(!t.className||t.childElementCount<=n)return;let i=t.nextElementSibling;(!i||i.childElementCount>=L)&&B(i=t.cloneNode(),t.parentNode,t),B(t.lastElementChild,i)}var S={duration:260,easing:"cubic-bezier(.2,.8,.2,1)"};function H(r){if(y()||document.hidden)return null;let t=[...g(r)].map(e=>[e,e.getBoundingClientRect()]);return(e,n)=>{let i=new Map([...g(r)].map(s=>[s,s.getBoundingClientRect().top])),o=([s,{bottom:c,top:d}])=>!i.has(s)&&c>0&&d<innerHeight,a=t.filter(o);for(let[s,{top:c}]of t){let d=c-i.get(s);Math.abs(d)>1&&s.animate([{transform:`translateY(${d}px)`},{}],{...S,composite:"add"})}for(let s of e)s.animate([{opacity:0,transform:"translateY(-10px)"},{}],S);for(let s of n)s.animate([{opacity:.25},{}],S);a.length&&mt(r,a)}}function mt(r,t){let e=r.cloneNode();e.removeAttribute("part"),e.inert=!0,e.ariaHidden="true",Object.assign(e.style,{position:"relative",blockSize:0}),r.after(e);let{top:n}=e.getBoundingClientRect();for(let[i,o]of t)delete i.dataset.key,i.removeAttribute("part"),Object.assign(i.style,{position:"absolute",insetInline:0,top:`${o.top-n}px`}),e.append(i),i.animate([{},{opacity:0}],S).onfinish=()=>e.remove()}var P=T(`
.row {
  position: relative; align-content: center; min-block-size: 56px; padding: 10px 16px; row-gap: 2px;
  box-shadow: 0 -17px 0 -16px var(--rl-line);
}
/* Room for the line of its first row, as it cuts off what is above. Not of those that follow another: to find those in long
   lists takes longer than to lay rows out. */
.group { padding-block-start: 1px; }
:first-child > .group:first-child .row:first-child { box-shadow: none; }
.row > [part=subtitle] { margin-block-start: 2px; }
/* Words alone are no grid: rows are many, and a grid takes twice as long. */
.row:where([data-parts~=image], [data-parts~=badge], [data-parts~=detail], [data-parts~=time]) {
  display: grid; grid-template-columns: auto minmax(0, 1fr) fit-content(45%) auto; align-items: baseline;
  & [part=subtitle] { margin: 0; }
}
.row:where([data-parts~=badge][data-parts~=detail]) { grid-template-columns: auto minmax(0, 1fr) fit-content(28%) fit-content(28%); }
.row > * { display: block; }
/* What is longer ends in an ellipsis; an open row has all of it. */
[part~=title], [part=subtitle], [part=detail] {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: var(--refreshable-lines, 2); line-clamp: var(--refreshable-lines, 2);
  overflow: hidden;
}
[part=badge], .row:not([data-parts~=prose]) > [part=detail] {
  display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-inline-size: calc(100% - 12px);
}
.row:not([data-parts~=subtitle], [data-parts~=time], [data-parts~=prose]) { align-items: center; & [part=image] { grid-row: 1; } }
[part=image] {
  grid-column: 1; grid-row: 1 / span 2; align-self: center; inline-size: 40px; block-size: 40px;
  margin-inline-end: 12px; border-radius: 10px; object-fit: cover; background: var(--rl-line);
}
[part~=title] { grid-column: 2; font-weight: 500; color: inherit; text-decoration: none; }
a[part~=title][href]::after { content: ''; position: absolute; inset: 0; }
a[part~=title]:focus-visible { outline: none; }
a[part~=title]:focus-visible::after, .row:focus-visible { outline: 2px solid var(--rl-accent); outline-offset: -3px; border-radius: 12px; }
@media (hover: hover) { [data-parts~=link]:hover { background-color: color-mix(in srgb, var(--rl-accent) 7%, transparent); border-radius: var(--rl-radius); } }
[data-parts~=subtitle]:not([data-parts~=badge], [data-parts~=detail]) [part=title] { grid-column: 2 / -1; }
[part=subtitle] { grid-column: 2; grid-row: 2; font-size: .8125rem; color: var(--rl-quiet); }
[part=badge], [part=detail], [part=time] { margin-inline-start: 12px; }
[part=badge] {
  grid-column-start: 3; grid-row: 1; justify-self: end; font-size: .75rem; font-weight: 600; line-height: 1.25rem;
  padding-inline: 8px; border-radius: 10px; color: var(--rl-accent);
  background: color-mix(in srgb, var(--rl-accent) 9%, transparent); font-variant-numeric: tabular-nums;
}
[part=detail] {
  grid-column: 3; grid-row: 1; justify-self: end; font-size: .875rem; color: var(--rl-quiet);
  font-variant-numeric: tabular-nums;
}
[data-parts~=badge] > [part=detail] { grid-column: 4; }
[data-parts~=prose] [part=detail] { grid-column: 2 / -1; grid-row: 3; justify-self: start; margin: 0; }
[data-parts~=prose]:not([data-parts~=badge]) [part=time] { grid-row: 1 !important; }
[part=time] {
  grid-column: 3 / span 2; grid-row: 2; justify-self: end; font-size: .8125rem; color: var(--rl-quiet);
  font-variant-numeric: tabular-nums; white-space: nowrap;
}
.row:not([data-parts~=subtitle], [data-parts~=detail], [data-parts~=badge]) [part=time] { grid-row: 1; }
/* Of words in another direction than the page's, each keeps its own, but all begin at the same side. */
.row > *, .words > *, [part=error] p > *, [part=more] span {
  unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent;
}
/* Large letters on a small screen. */
[part=rows] { container-type: inline-size; }
@container (max-width: 17rem) {
  .row { display: flex; flex-wrap: wrap; column-gap: 12px; }
  .row > * { margin: 0 !important; }
  [part~=title], [part=subtitle], [data-parts~=prose] [part=detail] { flex: 1 0 100%; }
}
[part=more] {
  display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 4px; min-block-size: 68px;
  padding-inline: var(--rl-gutter); font-size: .875rem; color: var(--rl-quiet);
}
[part=more] button { min-block-size: 44px; padding-inline: 12px; color: var(--rl-accent); font-weight: 600; border-radius: 22px; }
[part=more] [aria-disabled] { color: inherit; font-weight: inherit; }
[part=more][data-state=loading]::before {
  content: ''; inline-size: 18px; block-size: 18px; border-radius: 50%;
  border: 2px solid var(--rl-line); border-block-start-color: var(--rl-accent); animation: turn .8s linear infinite;
}
@media (prefers-reduced-motion: reduce) { [part=more]::before { animation-duration: 2.4s !important; } }
@keyframes appear { from { opacity: 0; } }
[part=news] {
  position: absolute; inset: calc(100% + 8px) 0 auto; margin-inline: auto; inline-size: fit-content; min-block-size: 44px;
  padding-inline: 18px; border-radius: 22px; font-size: .9375rem; font-weight: 600; color: var(--rl-background);
  background: var(--rl-accent) !important; box-shadow: 0 6px 24px #0003; animation: appear .25s;
}
.floating + [part=news] { visibility: hidden; }
[part=error] {
  display: flex; flex-wrap: wrap; align-items: center; column-gap: 12px; margin: 0 var(--rl-gutter) 12px;
  padding-block: 8px; padding-inline: 16px 4px;
  border-radius: var(--rl-radius); background: color-mix(in srgb, var(--rl-danger) 9%, var(--rl-background));
}
[part=error] svg { inline-size: 22px; block-size: 22px; color: var(--rl-danger); }
[part=error] p { flex: 1 1 7rem; display: grid; font-size: .875rem; padding-block: 4px; min-inline-size: 0; }
[part=error] strong { font-weight: 600; color: var(--rl-danger); }
[part=error] span { text-wrap: balance; color: var(--rl-quiet); }
[part=retry] { margin-inline-start: auto; }
[part=empty] {
  display: grid; justify-items: center; gap: 4px; padding: 18vh 32px 10vh; text-align: center; font-size: .9375rem;
}
[part=empty] svg {
  inline-size: 56px; block-size: 56px; stroke-width: 1.8; color: var(--rl-accent); opacity: .8;
  margin-block-end: 12px;
}
[part=empty] strong { font-size: 1.0625rem; font-weight: 600; }
[part=empty] span { color: var(--rl-quiet); }
@media (prefers-reduced-motion: reduce) { [part=news] { animation: none; } }
@media (forced-colors: active) {
  [part=badge], [part=error] { border: 1px solid; }
  .groups + *, .group + *, .row + * { border-block-start: 1px solid; }
  [part=more]::before { forced-color-adjust: none; }
  [part=news] { color: CanvasText; background: Canvas !important; }
}
`);function W(r){if(typeof r!="number"&&typeof r!="string")return null;let t=new Date(/^\d{11,}$/.test(r)?Number(r):r).getTime();return Number.isNaN(t)?null:t}var gt=/^data-field-(?!on|style$|srcdoc$)(.+)/,bt=/src|href|action|^(poster|data)$/,V=document.createElement("template");V.content.append(l("li",{class:"row",part:"row"},l("img",{part:"image",alt:"","data-field-src":"image"}),l("a",{part:"title",target:"_blank",rel:"noopener noreferrer","data-field":"title|key","data-field-href":"link"}),...["subtitle","badge","detail"].map(r=>l("span",{part:r,"data-field":r})),l("time",{part:"time","data-field":"time"})));var wt=24,b=class{#e;#t;constructor({content:t},e){let[n,i]=t.children,o=n?.localName==="li"&&!i,a=this.#e=t.ownerDocument.createElement(e);for(let{name:s,value:c}of o?n.attributes:[])a.setAttribute(s,c);a.append(...(o?n:t).cloneNode(!0).childNodes),this.#t=_(a).map(yt)}make(t=!0){let e=document.importNode(this.#e,t);return{item:e,pieces:_(e)}}draw({item:t,pieces:e},{key:n,fields:i},o){let a={key:n,...i};e.forEach((s,c)=>this.#t[c].forEach(d=>d(s,a,o))),t.dataset.key=n}},w=class extends b{constructor(t){super(V,t)}make(){return super.make(!1)}draw({item:t},e,n){t.dataset.broken&&xt(t);let i=super.make().pieces.map(s=>t.querySelector(`[part=${s.part}]`)??s);super.draw({item:t,pieces:i},e,n);let o=[],a=null;for(let s of i.slice(1)){if(!s.textContent&&!s.src){s.remove();continue}s.parentNode!==t&&t.insertBefore(s,a?a.nextSibling:t.firstChild),a=s,o.push(s.part.value),s.href&&o.push("link"),o.at(-1)==="detail"&&s.textContent.length>wt&&o.push("prose")}t.dataset.parts=o.join(" ")}};function G(r){r.parentNode.dataset.broken="image",r.replaceWith(l("span",{part:"image"}))}function xt(r){r.querySelector("span[part=image]").remove(),delete r.dataset.broken}var z=r=>r.querySelector(":scope > template");function q(r,{ago:t,full:e}){let n=Date.parse(r.dateTime);p(r,t(n)),r.title=e(n)}var _=r=>[r,...r.querySelectorAll(":not(script, style)")];function yt(r){return r.localName==="img"&&!r.hasAttribute("loading")&&(r.loading="lazy"),[...r.attributes].flatMap(({name:t,value:e})=>{let n=kt(r,t,gt.exec(t)?.[1]),i=e.split("|"),o=a=>i.map(s=>vt(a,s)).find(s=>(s??"")!=="");return n?[(a,s,c)=>n(a,o(s),c)]:[]})}function vt(r,t){return r[t]??t.split(".").reduce((e,n)=>e?.[n],r)}function kt(r,t,e){return t==="data-field"?St(r.textContent):t==="data-if"||t==="data-unless"?zt(t==="data-if"):e&&Ct(e,r.getAttribute(e))}var St=r=>(t,e,n)=>{let i=t.localName==="time"?W(e):null,o=t.localName==="data"&&typeof e=="number";if(t.removeAttribute("datetime"),o&&(t.value=e),i===null)return p(t,o?n.number(e):Z(e)||r);t.dateTime=new Date(i).toISOString(),q(t,n)},zt=r=>(t,e)=>{let n=Boolean(e)&&e.length!==0;t.style.display=n===r?"":"none"},Ct=(r,t)=>(e,n)=>{let o=!(n===!1&&!r.startsWith("aria-"))&&(bt.test(r)?Nt:Z)(n)||t;o===null?e.removeAttribute(r):e.getAttribute(r)!==o&&e.setAttribute(r,o)};function Z(r){return["string","number","boolean"].includes(typeof r)?String(r):""}function Nt(r){if(!r||typeof r!="string"||!URL.canParse(r,document.baseURI))return"";let t=new URL(r,document.baseURI);return/^https?:$/.test(t.protocol)?t.href:""}var J={changes:30,rows:400},K=4,Et=24,C=class{#e;#t;#r;#n;#i=new w("li");#o=0;#s=new Map;#a=null;#d=null;#l=null;#c=0;#g=0;#u=!1;#f=new Set;#m=!0;#b=0;#p=[];#w=[];#x=new Set;constructor(t,e){this.#e=t,this.#t=this.#r=t.rows,this.#n=e;let n=this.#r.getRootNode();n.adoptedStyleSheets.push(P),n.addEventListener("contentvisibilityautostatechange",({target:i})=>i.className==="group"&&this.#h(i),!0),n.addEventListener("error",({target:i})=>i.getRootNode()===n&&G(i),!0),this.#r.after(l("slot",{name:"rows"}))}render(t,e){if(this.#l={isFirst:t,isOwn:e||Boolean(this.#l?.isOwn)},t)clearTimeout(this.#c);else if(this.#c)return;this.#y()}applyTemplate(){let[t,e]=this.#o?["div","article"]:["ul","li"],{host:n}=this.#r.getRootNode(),i=z(n);this.#i=i?new b(i,e):new w(e),this.#t=this.#e.rows=document.createElement(t),this.#r.replaceChildren(),this.#r.hidden=Boolean(i),n.querySelector(":scope > [slot=rows]")?.remove(),i?(this.#t.slot="rows",n.append(this.#t)):(this.#t.part="rows",this.#r.replaceWith(this.#t),this.#r=this.#t),this.#s.clear(),this.#a=null,this.render(!0,!1)}tick(){for(let t of f(this.#t))t.firstElementChild.checkVisibility?.({contentVisibilityAuto:!0})!==!1&&this.#h(t)}#h(t){for(let e of t.querySelectorAll("time[data-field][datetime]"))q(e,this.#n.words)}number(t){if(t===this.#o)return;let e=this.#o;this.#o=t,e?this.render(!1,!1):this.applyTemplate()}get elements(){return[...g(this.#t)]}#y(){if(this.#c=0,this.#n.isMoving()&&!this.#l?.isFirst)return this.#v(100);if(!this.#m&&!document.hidden)return this.#v(10);if(this.#a?this.#S(K):this.#C(),this.#a||this.#l)return this.#v(0);this.#t.ariaBusy=null,this.#n.missed(this.#b),this.#b=0}#v(t){this.#c=setTimeout(()=>this.#y(),t)}#C(){let{isFirst:t,isOwn:e}=this.#l;this.#t.ariaBusy="true";let n=this.#n.rows();this.#t.role=this.#o&&n.length?"feed":"list",this.#t.ariaLabel=this.#e.heading.textContent;let i=this.#n.scroller();if(this.#l=null,this.#d=t||e&&u(i)?null:i,this.#a=this.#M(n),this.#u=Math.max(n.length,this.#s.size)>J.rows,this.#u)return this.#N();let o=this.#E(n)<=J.changes,a=o&&!t&&H(this.#t);this.#S(o?1/0:K),a&&a(this.#p,this.#w)}#N(){this.#d&&(this.#f=new m(this.#e,this.#d).held,this.#z(),this.#m=!1,requestAnimationFrame(()=>{this.#m=!0}))}#E(t){return t.filter(({key:n,fields:i})=>this.#s.get(n)?.fields!==i).length+Math.max(0,this.#s.size-t.length)}#S(t){let e=this.#d&&new m(this.#e,this.#d),n=this.#k;this.#p=[],this.#w=[],this.#x.clear();let i=document.hidden?1/0:performance.now()+t;do this.#a.next().done&&(this.#a=null);while(this.#a&&performance.now()<i);e&&(this.#f=e.held),this.#z(),n?.isConnected&&n!==this.#k&&n.focus({preventScroll:!0});let o=e?.hold(this.#x);o&&(this.#b+=this.#p.filter(a=>Mt(a,o)).length)}*#M(t){let e=new Set(t.map(({key:o})=>o));yield;for(let o of this.#s.keys())e.has(o)||(this.#B(o,e),yield);let n=yield*this.#A(t),i=null;for(let[o,a]of t.entries()){let s=this.#T(a);n.has(o)||(D(this.#t,s,i),this.#x.add(s)),this.#o&&this.#R(s,o+1),i=s,o%Et===0&&(yield)}}*#A(t){let e=new Map;for(let{children:i}of f(this.#t)){for(let o of i)e.set(o,e.size);yield}let n=t.map(({key:i})=>e.get(this.#s.get(i)?.item)??-1);return yield,At(n)}#R(t,e){let{textContent:n}=t.querySelector("[data-field]")??t,i={role:"article",ariaPosInSet:`${e}`,ariaSetSize:`${this.#o}`,ariaLabel:n,tabIndex:0};for(let[o,a]of Object.entries(i))t[o]!==a&&(t[o]=a)}#z(){this.#g=this.#u&&(this.#g||(this.elements[0]?.getBoundingClientRect().height??0)),F(this.#t,this.#g,this.#f)}#T(t){let e=this.#s.get(t.key);if(e?.fields===t.fields)return e.item;let n=e??this.#L();return e&&this.#w.push(n.item),this.#i.draw(n,t,this.#n.words),n.fields=t.fields,this.#s.set(t.key,n),n.item}#L(){let t=this.#i.make();return t.item.role="listitem",this.#p.push(t.item),t}#B(t,e){let{item:n}=this.#s.get(t);this.#s.delete(t),n.contains(this.#k)&&this.#q(n,e),k(n)}get#k(){let t=this.#t.getRootNode().activeElement;return t&&this.#t.contains(t)?t:null}#q(t,e){let n=this.elements,i=n.indexOf(t),o=({dataset:c})=>e.has(c.key),a=n.slice(i).find(o)??n.slice(0,i).findLast(o),s=a?.querySelector("a[href], button")??a??this.#e.heading;s===a&&(a.tabIndex=-1),s.focus({preventScroll:!0})}};function Mt(r,t){return Boolean(t.compareDocumentPosition(r)&Node.DOCUMENT_POSITION_PRECEDING)}function At(r){let t=[],e=[];r.forEach((i,o)=>{if(i<0)return;let a=0,s=t.length;for(;a<s;){let c=a+s>>1;r[t[c]]<i?a=c+1:s=c}e[o]=t[a-1],t[a]=o});let n=new Set;for(let i=t.at(-1);i!==void 0;i=e[i])n.add(i);return n}var N=class{#e;#t=new Set;#r=null;constructor(t){this.#e=t,t.addEventListener("touchstart",this.#i,{passive:!0}),this.#n()}#n(){this.#e.addEventListener("wheel",this.#o,{passive:!0,once:!0})}isMoving(){if(this.#t.size)return!0;if(this.#r===null)return!1;let{scrollTop:t}=h(this.#e),e=t!==this.#r;return this.#r=e?t:null,e||this.#n(),e}#i=t=>{for(let{identifier:n}of t.changedTouches)this.#t.add(n);let[e]=t.composedPath();e.addEventListener("touchend",this.#o),e.addEventListener("touchcancel",this.#o)};#o=({changedTouches:t=[]})=>{for(let{identifier:e}of t)this.#t.delete(e);this.#r=NaN}};function Q(r,t,e=""){let{updatedAt:n,staleSince:i}=r??{},o=n?t.updated(t.ago(Math.min(n,Date.now()))):"";return[e||o&&i&&t.stale,o].filter(Boolean).join(" · ")}function E({last:r},t){return!r?.outcome||r.outcome==="success"||r.outcome==="cancelled"||r.cause==="more"?null:{title:t.failed,message:t.explain(r.error??{})}}function Rt({last:r},t,e){return r?.outcome==="cancelled"?t.cancelled:r?.outcome&&r.outcome!=="success"?t.failed:e??tt(r,t)??t.upToDate}function X(r,t){let{last:e,updatedAt:n}=r,i=E(r,t);if(i)return[i.title,i.message].filter(Boolean).join(": ");if(e?.outcome==="cancelled"||!n)return Rt(r,t);let o=t.updated(t.clock(n)),a=tt(e,t);return a?`${a}, ${o[0].toLowerCase()}${o.slice(1)}`:o}function tt(r,t){let{inserted:e,changed:n,moved:i,removed:o}=r?.changes??{moved:1};return e?t.news(e):n?t.changes(n):i||o?null:t.noNews}var et={shown:1e3,certain:5e3},rt=class{#e;#t;#r;#n;#i;#o=null;#s=new MutationObserver(t=>this.#m(t));#a=null;#d=0;#l=!1;#c=0;constructor(t,e,n){this.#e=t,this.#t=e,this.#i=n,t.addEventListener("click",o=>j(o,t)&&n.ask()),this.#n=new v(e,()=>this.#b());let i=new N(t);this.#r=new C(e,{rows:()=>n.watch?.replica.rows??[],scroller:()=>h(t),isMoving:()=>n.isDown||i.isMoving(),missed:o=>this.#g(o),get words(){return n.words}}),this.#n.name(n.words),e.news.addEventListener("click",()=>{h(t).scrollTo({top:0,behavior:y()?"auto":"smooth"}),e.heading.focus({preventScroll:!0})}),this.#s.observe(t,{childList:!0}),this.#m([])}render(t,e=!1){this.#r.render(t,e)}paint(){let{refresh:t}=this.#t,{activeElement:e}=t.getRootNode();this.#p(),this.#w(),this.#y(),e?.closest("[hidden]")&&t.focus()}tick(){this.#r.tick(),this.#p()}translate(){this.#n.name(this.#i.words),this.#u(),this.tick(),this.paint()}turn(t,e){let{watch:n,words:i}=this.#i;clearTimeout(this.#d),e==="loading"?(this.#l=!this.#i.isFirst,this.#l&&(this.#d=setTimeout(()=>this.#t.say(i.loading.replace(/ ?…/,"")),500))):t==="loading"&&n?.state&&n.state.phase!=="loading"&&(this.#l||E(n.state,i))&&this.#t.say(X(n.state,i))}#g(t){t&&(this.#c||addEventListener("scroll",this.#f,{capture:!0,passive:!0}),this.#c+=t,this.#t.news.hidden=!1,this.#u())}#u(){p(this.#t.news,this.#i.words.missed(this.#c))}#f=()=>u(h(this.#e))&&this.catchUp();catchUp(){removeEventListener("scroll",this.#f,{capture:!0}),this.#c=0,this.#t.news.hidden=!0}#m(t){let e=z(this.#e);e===this.#o&&t.every(({target:n})=>n===this.#e)||(this.#o=e,e&&this.#s.observe(e.content,{attributes:!0,characterData:!0,childList:!0,subtree:!0}),this.#r.applyTemplate())}#b(){let{watch:t,ask:e}=this.#i;if(t?.refusal)return t.watch();t?.isConnected||t?.connection.connectNow(),this.#i.refreshable&&e()}#p(){let{watch:t,phase:e,isFirst:n,isOwn:i,lostAt:o,refreshable:a,words:s}=this.#i,{heading:c,updated:d,refresh:M,cancel:$}=this.#t,nt=t?.refusal||this.#h?t?.name:"";p(c,this.#e.getAttribute("heading")??t?.about?.title??nt??""),c.ariaLevel=this.#e.getAttribute("level")??"2",p(d,Q(t?.state,s,n?"":this.#h)),d.hidden=!n&&!d.textContent,d.title=t?.state?.updatedAt?s.full(t.state.updatedAt):"",this.#e.toggleAttribute("stale",Boolean(t?.state?.staleSince||this.#h)),this.#e.toggleAttribute("offline",o>0),M.disabled=!a,I(this.#e,a),$.hidden=e!=="loading",p($,i?s.cancel:s.hide)}#w(){let{watch:t,isFirst:e,refreshable:n,words:i}=this.#i,o=this.#x(),a=e&&this.#h&&t.connection.isAway,s=Boolean(t)&&t.replica.count===0&&!e&&!o,c=s&&n&&!t.state?.updatedAt,d=a?"offline":s?"empty":"",M=c?i.notLoaded:i[d];this.#t.loading.hidden=this.#t.skeleton.hidden=!e||a||Boolean(o),this.#n.paint(o,d,M,a?i.unavailable:n?i.waiting:"")}#x(){let{watch:t,phase:e,fault:n,words:i}=this.#i;if(t?.refusal){let{code:o,retry:a}=t.refusal,s=o==="unknownList",c=s?"":i.explain(t.refusal);return{title:s?i.unknownList:i.notShown,message:c,isFinal:a==="never",isUnknown:s}}return t?.connection.refusal?{title:i.notShown,message:i.explain(t.connection.refusal)}:n?{title:i[n.title],message:i.explain(n)||i[n.code]}:t?.state&&e!=="loading"?E(t.state,i):null}get#h(){let{watch:t,lostAt:e,words:n}=this.#i,i=performance.now()-e;return!e||t?.connection.refusal||i<et.shown?"":navigator.onLine===!1||i>=et.certain?n.offline:n.connecting}async#y(){if(!this.#a&&!this.#i.watch?.state?.more)return;let{LoadMore:t}=await import("../rows/load-more.js");this.#a??=new t(this.#n.more,this.#i,this.#r),this.#a.paint()}};export{rt as ListRenderer,et as losses};
//# sourceMappingURL=list-renderer.js.map
