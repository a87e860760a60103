var x='[command="--refresh"]',$=new WeakMap;"commandForElement"in HTMLButtonElement.prototype||addEventListener("click",n=>{let[t]=n.composedPath(),e=t.closest?.(`${x}[commandfor]:enabled`);e?.getRootNode().getElementById(e.getAttribute("commandfor"))?.dispatchEvent(Object.assign(new Event("command"),{command:"--refresh"}))});function j({target:n},t){let e=n instanceof Element&&n.closest(`${x}:not([commandfor])`);return Boolean(e)&&!e.disabled&&e.closest(t.localName)===t}function I(n,t){let e=$.get(n)??new Set;$.set(n,e);for(let r of t?e:[...it(n),...ot(n)])r.disabled||e.add(r),r.disabled=!t;t&&e.clear()}function it(n){return[...n.querySelectorAll(`${x}:not([commandfor])`)].filter(e=>e.closest(n.localName)===n)}function ot(n){return n.id?n.getRootNode().querySelectorAll(`${x}[commandfor="${CSS.escape(n.id)}"]`):[]}var st=matchMedia("(prefers-reduced-motion: reduce)"),y=()=>st.matches;var at=new Set(["svg","path","circle","rect"]);function l(n,t={},...e){let r=at.has(n)?document.createElementNS("http://www.w3.org/2000/svg",n):document.createElement(n);for(let i of Object.keys(t))r.setAttribute(i,`${t[i]}`);return r.append(...e),r}var A=(n,...t)=>l("svg",{viewBox:`0 0 ${n} ${n}`,"aria-hidden":"true"},...t.map(e=>l("path",{d:e}))),R=(n,...t)=>l("button",{part:n,type:"button"},...t);function T(n){let t=new CSSStyleSheet;return t.replaceSync(n),t}var lt=260,Ot=T(`
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
`);function p(n,t){n.textContent!==t&&(n.textContent=t)}var ct=()=>l("slot",{name:"error"},l("div",{part:"error"},A(24,"M12 3a9 9 0 1 1-.01 0Z","M12 7.5v5.4m0 3.3v.1"),l("p",{},l("strong",{"data-field":"title"}),l("span",{"data-field":"message"})),R("retry"),l("slot",{name:"unknown"}))),dt=()=>l("div",{part:"empty"},A(48,"M16 7h16a7 7 0 0 1 7 7v20a7 7 0 0 1-7 7H16a7 7 0 0 1-7-7V14a7 7 0 0 1 7-7Z","M17 17h14M17 24h14M17 31h8"),l("strong"),l("span"),R("retry")),v=class{#e=ct();#t=dt();#n=[l("slot",{name:"empty"}),l("slot",{name:"offline"})];#r;more=l("div",{part:"more"},l("span"),l("button",{type:"button"}));constructor({content:t,rows:e},r){this.more.hidden=!0,t.querySelector("slot").after(this.#e),e.after(this.more,...this.#n),this.#r=[this.#e,this.#t].map(i=>i.querySelector("button"));for(let i of this.#r)i.addEventListener("click",r)}name({retry:t}){for(let e of this.#r)p(e,t)}paint(t,e,r,i){this.#e.hidden=!t,this.#r[0].hidden=Boolean(t?.isFinal),this.#e.querySelector("[name=unknown]").hidden=!t?.isUnknown;for(let o of t?this.#e.assignedElements({flatten:!0}):[])for(let a of o.querySelectorAll("[data-field]"))p(a,t[a.dataset.field]??"");for(let o of this.#n)o.hidden=o.name!==e,!o.hidden&&!o.firstChild&&o.append(this.#t);this.#r[1].hidden=e!=="offline",e&&(p(this.#t.querySelector("strong"),r),p(this.#t.querySelector("span"),i))}};var Dt=navigator.vendor.startsWith("Apple")&&!CSS.supports("-webkit-touch-callout","none"),pt=n=>/^(auto|scroll|overlay)$/.test(getComputedStyle(n).overflowY),ht=n=>n.scrollHeight>n.clientHeight&&pt(n);function*ut(n){for(let t=n;t&&t!==document.body;t=t.assignedSlot??t.parentNode??t.host)t instanceof Element&&(yield t)}function h(n){for(let t of ut(n))if(ht(t))return t;return document.scrollingElement??document.documentElement}function u(n){return n.scrollTop<=.5}var m=class{#e;held=new Set;#t;constructor({bar:t,content:e,rows:r},i){this.#t=i;let o=r.getBoundingClientRect().top,a=u(i)&&o-e.getBoundingClientRect().top>1;this.#e=a?[]:[...this.#n(r.children,t.getBoundingClientRect().bottom)]}hold(t){let[e,r]=this.#e.find(([o])=>o.isConnected&&!t.has(o))??[];if(!e)return null;let i=e.getBoundingClientRect().top-r;return Math.abs(i)>=1&&(this.#t.scrollTop+=i),e}*#n(t,e){for(let r of t){let{top:i,bottom:o}=r.getBoundingClientRect();if(!(o<=e)){if(i>=innerHeight)break;r.dataset.key?yield[r,i]:(this.held.add(r),yield*this.#n(r.children,e))}}}};var L=32;function*f(n){for(let t of n.children)yield*t.children}function*g(n){for(let t of f(n))yield*t.children}function F(n,t,e){k(t),n.firstElementChild||n.append(l("div",{class:"groups"},l("div",{class:"group"}))),B(t,e?.parentNode??f(n).next().value,e)}function k(n){let t=n.parentNode;Y(t),n.remove(),t?.className&&!t.firstElementChild&&k(t)}function D(n,t,e){for(let r of[...f(n),...n.children]){let i=e.has(r),o=i?-t:t;o===r.said&&(r.count||!t)||(r.said=o,r.style=t?`contain: style; content-visibility: ${i?"visible":"auto"}; contain-intrinsic-block-size: auto ${ft(r,t)}px`:"")}}var ft=(n,t)=>U(n)*t+(n.className==="group"?0:n.childElementCount),U=n=>n.count??=n.className==="group"?n.childElementCount:[...n.children].reduce((t,e)=>t+U(e),0);function Y(n){n?.className&&(n.count=n.parentNode.count=null)}function B(n,t,e){e?e.after(n):t.prepend(n),Y(t);let r=n.className==="group"&&n.nextSibling?2*L:L;if(!t.className||t.childElementCount<=r)return;let i=t.nextElementSibling;(!i||i.childElementCount>=L)&&B(i=t.cloneNode(),t.parentNode,t),B(t.lastElementChild,i)}var S={duration:260,easing:"cubic-bezier(.2,.8,.2,1)"};function H(n){if(y()||document.hidden)return null;let t=[...g(n)].map(e=>[e,e.getBoundingClientRect()]);return(e,r)=>{let i=new Map([...g(n)].map(s=>[s,s.getBoundingClientRect().top])),o=([s,{bottom:c,top:d}])=>!i.has(s)&&c>0&&d<innerHeight,a=t.filter(o);for(let[s,{top:c}]of t){let d=c-i.get(s);Math.abs(d)>1&&s.animate([{transform:`translateY(${d}px)`},{}],{...S,composite:"add"})}for(let s of e)s.animate([{opacity:0,transform:"translateY(-10px)"},{}],S);for(let s of r)s.animate([{opacity:.25},{}],S);a.length&&mt(n,a)}}function mt(n,t){let e=n.cloneNode();e.removeAttribute("part"),e.inert=!0,e.ariaHidden="true",Object.assign(e.style,{position:"relative",blockSize:0}),n.after(e);let{top:r}=e.getBoundingClientRect();for(let[i,o]of t)delete i.dataset.key,i.removeAttribute("part"),Object.assign(i.style,{position:"absolute",insetInline:0,top:`${o.top-r}px`}),e.append(i),i.animate([{},{opacity:0}],S).onfinish=()=>e.remove()}var P=T(`
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
`);function W(n){if(typeof n!="number"&&typeof n!="string")return null;let t=new Date(/^\d{11,}$/.test(n)?Number(n):n).getTime();return Number.isNaN(t)?null:t}var gt=/^data-field-(?!on|style$|srcdoc$)(.+)/,bt=/src|href|action|^(poster|data)$/,V=document.createElement("template");V.content.append(l("li",{class:"row",part:"row"},l("img",{part:"image",alt:"","data-field-src":"image"}),l("a",{part:"title",target:"_blank",rel:"noopener noreferrer","data-field":"title|key","data-field-href":"link"}),...["subtitle","badge","detail"].map(n=>l("span",{part:n,"data-field":n})),l("time",{part:"time","data-field":"time"})));var wt=24,b=class{#e;#t;constructor({content:t},e){let[r,i]=t.children,o=r?.localName==="li"&&!i,a=this.#e=t.ownerDocument.createElement(e);for(let{name:s,value:c}of o?r.attributes:[])a.setAttribute(s,c);a.append(...(o?r:t).cloneNode(!0).childNodes),this.#t=_(a).map(yt)}make(t=!0){let e=document.importNode(this.#e,t);return{item:e,pieces:_(e)}}draw({item:t,pieces:e},{key:r,fields:i},o){let a={key:r,...i};e.forEach((s,c)=>this.#t[c].forEach(d=>d(s,a,o))),t.dataset.key=r}},w=class extends b{constructor(t){super(V,t)}make(){return super.make(!1)}draw({item:t},e,r){t.dataset.broken&&xt(t);let i=super.make().pieces.map(s=>t.querySelector(`[part=${s.part}]`)??s);super.draw({item:t,pieces:i},e,r);let o=[],a=null;for(let s of i.slice(1)){if(!s.textContent&&!s.src){s.remove();continue}s.parentNode!==t&&t.insertBefore(s,a?a.nextSibling:t.firstChild),a=s,o.push(s.part.value),s.href&&o.push("link"),o.at(-1)==="detail"&&s.textContent.length>wt&&o.push("prose")}t.dataset.parts=o.join(" ")}};function G(n){n.parentNode.dataset.broken="image",n.replaceWith(l("span",{part:"image"}))}function xt(n){n.querySelector("span[part=image]").remove(),delete n.dataset.broken}var z=n=>n.querySelector(":scope > template");function O(n,{ago:t,full:e}){let r=Date.parse(n.dateTime);p(n,t(r)),n.title=e(r)}var _=n=>[n,...n.querySelectorAll(":not(script, style)")];function yt(n){return n.localName==="img"&&!n.hasAttribute("loading")&&(n.loading="lazy"),[...n.attributes].flatMap(({name:t,value:e})=>{let r=kt(n,t,gt.exec(t)?.[1]),i=e.split("|"),o=a=>i.map(s=>vt(a,s)).find(s=>(s??"")!=="");return r?[(a,s,c)=>r(a,o(s),c)]:[]})}function vt(n,t){return n[t]??t.split(".").reduce((e,r)=>e?.[r],n)}function kt(n,t,e){return t==="data-field"?St(n.textContent):t==="data-if"||t==="data-unless"?zt(t==="data-if"):e&&Ct(e,n.getAttribute(e))}var St=n=>(t,e,r)=>{let i=t.localName==="time"?W(e):null,o=t.localName==="data"&&typeof e=="number";if(t.removeAttribute("datetime"),o&&(t.value=e),i===null)return p(t,o?r.number(e):Z(e)||n);t.dateTime=new Date(i).toISOString(),O(t,r)},zt=n=>(t,e)=>{let r=Boolean(e)&&e.length!==0;t.style.display=r===n?"":"none"},Ct=(n,t)=>(e,r)=>{let o=!(r===!1&&!n.startsWith("aria-"))&&(bt.test(n)?Nt:Z)(r)||t;o===null?e.removeAttribute(n):e.getAttribute(n)!==o&&e.setAttribute(n,o)};function Z(n){return["string","number","boolean"].includes(typeof n)?String(n):""}function Nt(n){if(!n||typeof n!="string"||!URL.canParse(n,document.baseURI))return"";let t=new URL(n,document.baseURI);return/^https?:$/.test(t.protocol)?t.href:""}var J={changes:30,rows:400},K=4,Et=24,C=class{#e;#t;#n;#r;#i=new w("li");#o=0;#s=new Map;#a=null;#d=null;#l=null;#c=0;#g=0;#u=!1;#f=new Set;#m=!0;#b=0;#p=[];#w=[];#x=new Set;constructor(t,e){this.#e=t,this.#t=this.#n=t.rows,this.#r=e;let r=this.#n.getRootNode();r.adoptedStyleSheets.push(P),r.addEventListener("contentvisibilityautostatechange",({target:i})=>i.className==="group"&&this.#h(i),!0),r.addEventListener("error",({target:i})=>i.getRootNode()===r&&G(i),!0),this.#n.after(l("slot",{name:"rows"}))}render(t,e){if(this.#l={isFirst:t,isOwn:e||Boolean(this.#l?.isOwn)},t)clearTimeout(this.#c);else if(this.#c)return;this.#y()}applyTemplate(){let[t,e]=this.#o?["div","article"]:["ul","li"],{host:r}=this.#n.getRootNode(),i=z(r);this.#i=i?new b(i,e):new w(e),this.#t=this.#e.rows=document.createElement(t),this.#n.replaceChildren(),this.#n.hidden=Boolean(i),r.querySelector(":scope > [slot=rows]")?.remove(),i?(this.#t.slot="rows",r.append(this.#t)):(this.#t.part="rows",this.#n.replaceWith(this.#t),this.#n=this.#t),this.#s.clear(),this.#a=null,this.render(!0,!1)}tick(){for(let t of f(this.#t))t.firstElementChild.checkVisibility?.({contentVisibilityAuto:!0})!==!1&&this.#h(t)}#h(t){for(let e of t.querySelectorAll("time[data-field][datetime]"))O(e,this.#r.words)}number(t){if(t===this.#o)return;let e=this.#o;this.#o=t,e?this.render(!1,!1):this.applyTemplate()}get elements(){return[...g(this.#t)]}#y(){if(this.#c=0,this.#r.isMoving()&&!this.#l?.isFirst)return this.#v(100);if(!this.#m&&!document.hidden)return this.#v(10);if(this.#a?this.#S(K):this.#C(),this.#a||this.#l)return this.#v(0);this.#t.ariaBusy=null,this.#r.missed(this.#b),this.#b=0}#v(t){this.#c=setTimeout(()=>this.#y(),t)}#C(){let{isFirst:t,isOwn:e}=this.#l;this.#t.ariaBusy="true";let r=this.#r.rows();this.#t.role=this.#o&&r.length?"feed":"list",this.#t.ariaLabel=this.#e.heading.textContent;let i=this.#r.scroller();if(this.#l=null,this.#d=t||e&&u(i)?null:i,this.#a=this.#M(r),this.#u=Math.max(r.length,this.#s.size)>J.rows,this.#u)return this.#N();let o=this.#E(r)<=J.changes,a=o&&!t&&H(this.#t);this.#S(o?1/0:K),a&&a(this.#p,this.#w)}#N(){this.#d&&(this.#f=new m(this.#e,this.#d).held,this.#z(),this.#m=!1,requestAnimationFrame(()=>{this.#m=!0}))}#E(t){return t.filter(({key:r,fields:i})=>this.#s.get(r)?.fields!==i).length+Math.max(0,this.#s.size-t.length)}#S(t){let e=this.#d&&new m(this.#e,this.#d),r=this.#k;this.#p=[],this.#w=[],this.#x.clear();let i=document.hidden?1/0:performance.now()+t;do this.#a.next().done&&(this.#a=null);while(this.#a&&performance.now()<i);e&&(this.#f=e.held),this.#z(),r?.isConnected&&r!==this.#k&&r.focus({preventScroll:!0});let o=e?.hold(this.#x);o&&(this.#b+=this.#p.filter(a=>Mt(a,o)).length)}*#M(t){let e=new Set(t.map(({key:o})=>o));yield;for(let o of this.#s.keys())e.has(o)||(this.#B(o,e),yield);let r=yield*this.#A(t),i=null;for(let[o,a]of t.entries()){let s=this.#T(a);r.has(o)||(F(this.#t,s,i),this.#x.add(s)),this.#o&&this.#R(s,o+1),i=s,o%Et===0&&(yield)}}*#A(t){let e=new Map;for(let{children:i}of f(this.#t)){for(let o of i)e.set(o,e.size);yield}let r=t.map(({key:i})=>e.get(this.#s.get(i)?.item)??-1);return yield,At(r)}#R(t,e){let{textContent:r}=t.querySelector("[data-field]")??t,i={role:"article",ariaPosInSet:`${e}`,ariaSetSize:`${this.#o}`,ariaLabel:r,tabIndex:0};for(let[o,a]of Object.entries(i))t[o]!==a&&(t[o]=a)}#z(){this.#g=this.#u&&(this.#g||(this.elements[0]?.getBoundingClientRect().height??0)),D(this.#t,this.#g,this.#f)}#T(t){let e=this.#s.get(t.key);if(e?.fields===t.fields)return e.item;let r=e??this.#L();return e&&this.#w.push(r.item),this.#i.draw(r,t,this.#r.words),r.fields=t.fields,this.#s.set(t.key,r),r.item}#L(){let t=this.#i.make();return t.item.role="listitem",this.#p.push(t.item),t}#B(t,e){let{item:r}=this.#s.get(t);this.#s.delete(t),r.contains(this.#k)&&this.#O(r,e),k(r)}get#k(){let t=this.#t.getRootNode().activeElement;return t&&this.#t.contains(t)?t:null}#O(t,e){let r=this.elements,i=r.indexOf(t),o=({dataset:c})=>e.has(c.key),a=r.slice(i).find(o)??r.slice(0,i).findLast(o),s=a?.querySelector("a[href], button")??a??this.#e.heading;s===a&&(a.tabIndex=-1),s.focus({preventScroll:!0})}};function Mt(n,t){return Boolean(t.compareDocumentPosition(n)&Node.DOCUMENT_POSITION_PRECEDING)}function At(n){let t=[],e=[];n.forEach((i,o)=>{if(i<0)return;let a=0,s=t.length;for(;a<s;){let c=a+s>>1;n[t[c]]<i?a=c+1:s=c}e[o]=t[a-1],t[a]=o});let r=new Set;for(let i=t.at(-1);i!==void 0;i=e[i])r.add(i);return r}var N=class{#e;#t=new Set;#n=null;constructor(t){this.#e=t,t.addEventListener("touchstart",this.#i,{passive:!0}),this.#r()}#r(){this.#e.addEventListener("wheel",this.#o,{passive:!0,once:!0})}isMoving(){if(this.#t.size)return!0;if(this.#n===null)return!1;let{scrollTop:t}=h(this.#e),e=t!==this.#n;return this.#n=e?t:null,e||this.#r(),e}#i=t=>{for(let{identifier:r}of t.changedTouches)this.#t.add(r);let[e]=t.composedPath();e.addEventListener("touchend",this.#o),e.addEventListener("touchcancel",this.#o)};#o=({changedTouches:t=[]})=>{for(let{identifier:e}of t)this.#t.delete(e);this.#n=NaN}};function Q(n,t,e=""){let{updatedAt:r,staleSince:i}=n??{},o=r?t.updated(t.ago(Math.min(r,Date.now()))):"";return[e||o&&i&&t.stale,o].filter(Boolean).join(" · ")}function E({last:n},t){return!n?.outcome||n.outcome==="success"||n.outcome==="cancelled"||n.cause==="more"?null:{title:t.failed,message:t.explain(n.error??{})}}function Rt({last:n},t,e,r){return n?.outcome==="cancelled"?t.cancelled:n?.outcome&&n.outcome!=="success"?t.failed:r??tt(n,t,e)??t.upToDate}function X(n,t,e){let{last:r,updatedAt:i}=n,o=E(n,t);if(o)return[o.title,o.message].filter(Boolean).join(": ");if(r?.outcome==="cancelled"||!i)return Rt(n,t,e);let a=t.updated(t.clock(i)),s=tt(r,t,e);return s?`${s}, ${a[0].toLowerCase()}${a.slice(1)}`:a}function tt(n,t,e){let{inserted:r,changed:i,moved:o,removed:a}=n?.changes??{moved:1},s=t.called(e,r||i||0);return r?s?t.newOf(r,s):t.news(r):i?s?t.changedOf(i,s):t.changes(i):o||a?null:t.noNews}var et={shown:1e3,certain:5e3},nt=class{#e;#t;#n;#r;#i;#o=null;#s=new MutationObserver(t=>this.#m(t));#a=null;#d=0;#l=!1;#c=0;constructor(t,e,r){this.#e=t,this.#t=e,this.#i=r,t.addEventListener("click",o=>j(o,t)&&r.ask()),this.#r=new v(e,()=>this.#b());let i=new N(t);this.#n=new C(e,{rows:()=>r.watch?.replica.rows??[],scroller:()=>h(t),isMoving:()=>r.isDown||i.isMoving(),missed:o=>this.#g(o),get words(){return r.words}}),this.#r.name(r.words),e.news.addEventListener("click",()=>{h(t).scrollTo({top:0,behavior:y()?"auto":"smooth"}),e.heading.focus({preventScroll:!0})}),this.#s.observe(t,{childList:!0}),this.#m([])}render(t,e=!1){this.#n.render(t,e)}paint(){let{refresh:t}=this.#t,{activeElement:e}=t.getRootNode();this.#p(),this.#w(),this.#y(),e?.closest("[hidden]")&&t.focus()}tick(){this.#n.tick(),this.#p()}translate(){this.#r.name(this.#i.words),this.#u(),this.tick(),this.paint()}turn(t,e){let{watch:r,words:i}=this.#i;clearTimeout(this.#d),e==="loading"?(this.#l=!this.#i.isFirst,this.#l&&(this.#d=setTimeout(()=>this.#t.say(i.loading.replace(/ ?…/,"")),500))):t==="loading"&&r?.state&&r.state.phase!=="loading"&&(this.#l||E(r.state,i))&&this.#t.say(X(r.state,i,r.about?.noun))}#g(t){t&&(this.#c||addEventListener("scroll",this.#f,{capture:!0,passive:!0}),this.#c+=t,this.#t.news.hidden=!1,this.#u())}#u(){p(this.#t.news,this.#i.words.missed(this.#c))}#f=()=>u(h(this.#e))&&this.catchUp();catchUp(){removeEventListener("scroll",this.#f,{capture:!0}),this.#c=0,this.#t.news.hidden=!0}#m(t){let e=z(this.#e);e===this.#o&&t.every(({target:r})=>r===this.#e)||(this.#o=e,e&&this.#s.observe(e.content,{attributes:!0,characterData:!0,childList:!0,subtree:!0}),this.#n.applyTemplate())}#b(){let{watch:t,ask:e}=this.#i;if(t?.refusal)return t.watch();t?.isConnected||t?.connection.connectNow(),this.#i.refreshable&&e()}#p(){let{watch:t,phase:e,isFirst:r,isOwn:i,lostAt:o,refreshable:a,words:s}=this.#i,{heading:c,updated:d,refresh:M,cancel:q}=this.#t,rt=t?.refusal||this.#h?t?.name:"";p(c,this.#e.getAttribute("heading")??t?.about?.title??rt??""),c.ariaLevel=this.#e.getAttribute("level")??"2",p(d,Q(t?.state,s,r?"":this.#h)),d.hidden=!r&&!d.textContent,d.title=t?.state?.updatedAt?s.full(t.state.updatedAt):"",this.#e.toggleAttribute("stale",Boolean(t?.state?.staleSince||this.#h)),this.#e.toggleAttribute("offline",o>0),M.disabled=!a,I(this.#e,a),q.hidden=e!=="loading",p(q,i?s.cancel:s.hide)}#w(){let{watch:t,isFirst:e,refreshable:r,words:i}=this.#i,o=this.#x(),a=e&&this.#h&&t.connection.isAway,s=Boolean(t)&&t.replica.count===0&&!e&&!o,c=s&&r&&!t.state?.updatedAt,d=a?"offline":s?"empty":"",M=c?i.notLoaded:i[d];this.#t.loading.hidden=this.#t.skeleton.hidden=!e||a||Boolean(o),this.#r.paint(o,d,M,a?i.unavailable:r?i.waiting:"")}#x(){let{watch:t,phase:e,fault:r,words:i}=this.#i;if(t?.refusal){let{code:o,retry:a}=t.refusal,s=o==="unknownList",c=s?"":i.explain(t.refusal);return{title:s?i.unknownList:i.notShown,message:c,isFinal:a==="never",isUnknown:s}}return t?.connection.refusal?{title:i.notShown,message:i.explain(t.connection.refusal)}:r?{title:i[r.title],message:i.explain(r)||i[r.code]}:t?.state&&e!=="loading"?E(t.state,i):null}get#h(){let{watch:t,lostAt:e,words:r}=this.#i,i=performance.now()-e;return!e||t?.connection.refusal||i<et.shown?"":navigator.onLine===!1||i>=et.certain?r.offline:r.connecting}async#y(){if(!this.#a&&!this.#i.watch?.state?.more)return;let{LoadMore:t}=await import("../rows/load-more.js");this.#a??=new t(this.#r.more,this.#i,this.#n),this.#a.paint()}};export{nt as ListRenderer,et as losses};
//# sourceMappingURL=list-renderer.js.map
