function C(s){let t=new CSSStyleSheet;return t.replaceSync(s),t}var u=260,Ct=C(`
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
.titles { flex: 1; min-inline-size: 0; order: 1; }
slot[name=start] { order: 0; }
[part=cancel] { order: 2; }
[part=refresh] { order: 3; }
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
  .bar-content::before { content: ''; flex: 1; order: 1; }
  .titles { flex: 1 0 100%; order: 4; }
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

.gap { position: absolute; inset: 100% 0 auto; block-size: ${u}px; overflow: clip; pointer-events: none; }
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
`);var D=C(`
.indicator {
  display: flex; align-items: center; justify-content: center; gap: 12px; padding-inline: var(--rl-gutter);
  block-size: max(var(--rl-hold, 56px), 36px); color: var(--rl-quiet); will-change: transform;
}
.visible .indicator { visibility: visible; }
.indicator svg { inline-size: 26px; block-size: 26px; color: var(--rl-accent); }
.words {
  display: grid; line-height: 1.3; font-weight: 500; font-variant-numeric: tabular-nums;
  font-size: min(.9375rem, 5.4cqi, max(var(--rl-hold, 56px), 36px) * .42);
}
[data-state=waiting] .label::after, [data-state=primed] .label::after {
  content: attr(data-widest); display: block; block-size: 0; visibility: hidden;
}
.note { font-size: .8em; font-weight: 400; opacity: .85; }
.note:empty, .words:not(:has(:not(:empty))), [data-kind=simple] .words, [data-kind=circular] .label,
[data-kind=circular]:not([data-state=loading]) .words {
  display: none;
}
[data-kind=circular] svg { inline-size: 30px; block-size: 30px; stroke-width: 2.5; }
.floating .indicator {
  position: absolute; left: 50%; translate: -50%; transform: translateY(8px) !important;
  inline-size: max-content; max-inline-size: calc(100% - 32px); min-block-size: 44px; block-size: auto; padding: 4px 9px; border-radius: 22px;
  background: var(--rl-background); box-shadow: 0 0 0 1px var(--rl-line), 0 6px 24px #0003; animation: appear .2s;
}
.floating .words { margin-inline-end: 9px; }
.floating { transform: none !important; }
.track { opacity: .2; }
.arc {
  stroke-dasharray: calc(var(--pull-progress, 0) * 100px) 100px; transform: rotate(-90deg); transform-origin: center;
  opacity: min(1, var(--pull-progress, 0) * 20);
}
.arrow {
  opacity: var(--pull-progress, 0); transform-origin: center; transition: transform .22s cubic-bezier(.3,1.4,.6,1);
}
.mark { stroke-dasharray: 100; stroke-dashoffset: 100; visibility: hidden; }
[data-state=primed] .arrow { transform: rotate(180deg); }
[data-state=primed] .label { color: var(--rl-accent); }
.indicator:not([data-state=waiting], [data-state=primed]) .arrow, [data-kind=circular] .arrow { display: none; }
[data-state=loading]:not([data-measured]) .arc { stroke-dasharray: 28px 100px; }
[data-state=loading]:not([data-measured], [data-kind=simple]) svg { animation: turn .8s linear infinite; }
.indicator:not([data-state=waiting], [data-state=primed]) .arc { transition: .25s; }
[data-state=cancelled] .arc { stroke-dasharray: 0 100px; opacity: 0; }
[data-state=success] .good, [data-state=failure] .bad, [data-state=timeout] .bad {
  visibility: visible; animation: draw .28s .04s cubic-bezier(.4,0,.2,1) forwards;
}
:is([data-state=failure], [data-state=timeout]) :is(svg, .label) { color: var(--rl-danger); }
.spoke { opacity: .18; stroke-width: 2.2; }
${[...Array(12).keys()].map(s=>`
.spoke:nth-child(${s+1}) {
  opacity: clamp(.18, calc((var(--pull-progress, 0) - ${s/12}) * 12), 1); animation-delay: ${(s-12)/12}s !important;
}`).join("")}
[data-state=loading]:not([data-measured]) .spoke { animation: fade 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@keyframes draw { to { stroke-dashoffset: 0; } }
@keyframes fade { from { opacity: 1; } to { opacity: .18; } }

@media (forced-colors: active) { .floating .indicator { border: 1px solid; } }
@media (prefers-reduced-motion: reduce) {
  .mark, .floating .indicator { animation: none !important; }
  .mark { stroke-dashoffset: 0; }
  .arrow, .arc { transition: none !important; }
  [data-state=loading]:not([data-measured], [data-kind=simple]) svg {
    animation: fade 1s infinite alternate;
  }
}
`);var w={default:`
    <circle class="track" cx="12" cy="12" r="9.5"/><circle class="arc" cx="12" cy="12" r="9.5" pathLength="100"/>
    <path class="arrow" d="M12 7.5v9m-3.5-3.5 3.5 3.5 3.5-3.5"/>
    <path class="mark good" d="m8 12.3 2.8 2.8L16 9.6" pathLength="100"/>
    <path class="mark bad" d="M12 7.6v5.2m0 3.4v.1" pathLength="100"/>`,simple:[...Array(12).keys()].map(s=>`<path class="spoke" d="M12 3v4.2" transform="rotate(${s*30} 12 12)"/>`).join("")};w.circular=w.default;var b=class{#e;#t;#s;#r;#n="";#a={};#l="";#o=[];constructor(t){this.#e=t,this.#t=t.querySelector(".label").appendChild(new Text),this.#s=t.querySelector(".note"),this.#r=t.querySelector("slot"),this.#r.addEventListener("slotchange",()=>this.#h(this.#a)),t.getRootNode().adoptedStyleSheets.push(D)}set kind(t){let e=t in w?t:"default";e!==this.#n&&(this.#n=this.#e.dataset.kind=e,this.#e.querySelector("svg").innerHTML=w[e])}paint({phase:t,outcome:e,progress:i,share:r,label:n,widest:o,note:h}){let l=t==="loading"&&r!==null,c=t==="closing"?e:t,a=this.#a,d=c!==a.state||l!==a.isMeasured;this.#a={phase:t,state:c,isMeasured:l,label:n,note:h},d&&(this.#e.dataset.state=c),l!==a.isMeasured&&this.#e.toggleAttribute("data-measured",l);let Y=a.phase==="waiting"||a.phase==="primed";(i!==null||!Y)&&this.fill((l?r:i)??0),d&&this.#h(this.#a),n!==a.label&&(this.#t.data=n,(!d||!Y)&&(this.#t.parentElement.dataset.widest=o())),h!==a.note&&(this.#s.textContent=h)}fill(t){let e=t.toFixed(2);if(e!==this.#l){this.#l=e,this.#e.style.setProperty("--pull-progress",e);for(let i of this.#o)i.style.setProperty("--pull-progress",e),i.hasAttribute("progress")&&i.setAttribute("progress",e)}}#h({phase:t,state:e,isMeasured:i}){this.#o=this.#r.assignedElements();let r={phase:t,outcome:t==="closing"&&e,progress:(t!=="loading"||i)&&this.#l};for(let n of t?this.#o:[]){n.style.setProperty("--pull-progress",this.#l);for(let[o,h]of Object.entries(r))h?n.setAttribute(o,h):n.removeAttribute(o)}}};var st=matchMedia("(prefers-reduced-motion: reduce)"),M=()=>st.matches,x=class{#e;#t;#s=0;#r=!0;#n=[];#a=0;#l=0;#o=0;constructor(t,e){this.#e=t,this.#t=e}get offset(){let{currentTime:t}=this.#n[0]??{};return typeof t!="number"?this.#s:B(this.#a,this.#s,this.#l,Math.min(t,this.#o),this.#o)}follow(t){this.#u(),this.#h(t),this.#c()}settle(t,e,i=0){if(t===this.#s&&this.#n.length)return;let r=this.offset;if(this.#u(),this.#h(t),M()||Math.abs(r-t)<.5)return this.#c();[this.#a,this.#l,this.#o]=[r,i,e];let n=Array.from({length:16+1},(l,c)=>B(r,t,i,c/16*e,e)),o=this.#e.filter(({place:l})=>l(r)!==l(t));this.#n=o.map(({element:l,place:c})=>l.animate(n.map(a=>({transform:c(a)||"none"})),{duration:e}));let h=this.#n[0];h.onfinish=()=>{h===this.#n[0]&&(this.#n=[],this.#c())},this.#c()}#h(t){this.#s=t;for(let e of this.#e){let i=e.place(t);i!==e.put&&(e.element.style.transform=e.put=i)}}#c(){let t=this.#s===0&&this.#n.length===0;t!==this.#r&&(this.#r=t,this.#t(t))}#u(){let t=this.#n;this.#n=[];for(let e of t)e.cancel()}};function B(s,t,e,i,r){let n=o=>(s-t+(e*1e3+25*(s-t))*o)*Math.exp(-25*o);return t+n(i/1e3)-n(r/1e3)*(i/r)}var H=Object.freeze({standard:Object.freeze({trigger:"release",threshold:64,minimum:10,hold:56,hysteresis:8}),recipe:Object.freeze({trigger:"return",threshold:50,minimum:10,hold:50,hysteresis:8}),progress:Object.freeze({trigger:"crossing",threshold:100,minimum:10,hold:36,hysteresis:8}),classic:Object.freeze({trigger:"release",threshold:70,minimum:10,hold:70,hysteresis:8})}),f=class{#e;#t="cancelled";#s;#r=0;#n=null;#a=0;#l=0;constructor(t,e=!1){this.configuration=t,this.#e=e?"loading":"waiting"}get phase(){return this.#e==="asked"?"loading":this.#e}get progress(){return this.#a}get gesture(){return this.#r}get peak(){return this.#n}get ignored(){return this.#l}handle(t){if(!nt(t))return this.#f();let e=this.#o(t),i=this.#s;return i&&i.phase!=="waiting"&&(this.#e==="waiting"||this.#e==="closing")&&(e.state=this.#y(i.gesture,"waiting",0)),e}#o(t){switch(t.type){case"sample":return this.#h(t.gesture,t.offset);case"release":return this.#u(t.gesture,t.offset,t.peak??null);case"cancel":return this.#b(t.gesture);case"begin":return this.#g(this.#e!=="loading","loading");case"refuse":return this.#g(this.#e==="asked","waiting");case"end":return this.#g(this.phase==="loading","closing");case"settle":return this.#g(this.#e==="closing","waiting");default:return this.#f()}}#h(t,e){if(this.#w(t),t!==this.#r||!this.#v)return this.#f();this.#n=this.#k(e)?e:Math.max(this.#n??e,e);let i={};return this.#t==="down"&&this.phase!=="loading"&&this.#c(e)&&(i.refresh=t),i.state=this.#y(t,this.phase,this.#a),i}#c(t){let{threshold:e,trigger:i}=this.configuration;if(this.#a=this.#m(t),this.#n<e)return this.#e="waiting",!1;let r=i==="crossing"||i==="return"&&t<e;return this.#e=r?"asked":"primed",r&&(this.#t="fired"),r}#u(t,e,i){if(this.#w(t),t!==this.#r)return this.#f("repeated");switch(this.#t){case"down":return this.#d(e,Math.max(i??this.#n??e,e));case"fired":return this.#i("own");case"spent":return this.#i("spent");case"released":return{answer:"repeated"};default:return this.#f("spent")}}#d(t,e){return e<this.configuration.threshold||this.#k(t)?this.#i("belowThreshold"):(this.#t="released",this.phase==="loading"?{refresh:this.#r,answer:"joins"}:(this.#a=this.#m(t),this.#e="asked",{refresh:this.#r,answer:"run"}))}#i(t){return this.#t="released",this.#p(),{answer:t}}#b(t){return this.#w(t),t!==this.#r||!this.#v?this.#f():(this.#t="cancelled",this.#p(),{})}#w(t){t<=this.#r||(this.#r=t,this.#t="down",this.#n=null)}#p(){this.#e!=="waiting"&&this.#e!=="primed"||(this.#e="waiting",this.#a=0)}#g(t,e){return t?(this.phase==="loading"&&e!=="loading"&&this.#t==="down"&&(this.#t="spent"),this.#e=e,e==="waiting"&&(this.#a=0),{}):this.#f()}#f(t){return this.#l+=1,t?{answer:t}:{}}#y(t,e,i){return this.#s={gesture:t,phase:e,progress:i}}get#v(){return this.#t==="down"||this.#t==="fired"||this.#t==="spent"}#m(t){let{minimum:e,threshold:i}=this.configuration;return t<=e?0:t>=i?1:(t-e)/(i-e)}#k(t){let{trigger:e,threshold:i,hysteresis:r}=this.configuration;return e==="release"&&t<=i-r}},m=class{#e=null;#t=null;hear(t,e=null){if(!(t in p))return[];let i=this.#t??"waiting",n=!(t==="waiting"&&(this.#t===null||e===null))&&(e!==this.#e||p[t]<p[i]);return this.#e=e,this.#t=t,n?[...i==="loading"?A(i,"closing"):[],{type:"begin"},...A("loading",t)]:A(i,t)}},p={loading:0,closing:1,waiting:2},rt=[{type:"end"},{type:"settle"}];function A(s,t){return rt.slice(p[s],p[t])}function nt({type:s,gesture:t,offset:e,peak:i}){let r=n=>Number.isFinite(n)&&Math.abs(n)<=1e4;return s!=="sample"&&s!=="release"&&s!=="cancel"?!0:Number.isSafeInteger(t)&&t>0&&(s==="cancel"||r(e)&&r(i??0))}var at=navigator.vendor.startsWith("Apple")&&!CSS.supports("-webkit-touch-callout","none"),G=s=>/^(auto|scroll|overlay)$/.test(getComputedStyle(s).overflowY),W=s=>s.scrollHeight>s.clientHeight&&G(s);function*_(s){for(let t=s;t&&t!==document.body;t=t.assignedSlot??t.parentNode??t.host)t instanceof Element&&(yield t)}function y(s){for(let t of _(s))if(W(t))return t;return document.scrollingElement??document.documentElement}function S(s){return s.scrollTop<=.5}function J(s,t){for(let e of s){if(e===t)break;if(e instanceof Element&&e.scrollTop>.5&&W(e))return!1}return S(t)}var E=new Map;function K(s){let t=at?[]:[document.documentElement];for(let i of _(s))if(G(i)){t.push(i);break}let e=t.map(ot);return()=>e.forEach(i=>i())}function ot(s){let t=E.get(s)??{count:0,before:s.style.overscrollBehaviorY};return t.count+=1,E.set(s,t),s.style.overscrollBehaviorY="contain",()=>{t.count-=1,!(t.count>0)&&(s.style.overscrollBehaviorY=t.before,E.delete(s))}}function L(s,t){let e=t?.last?.run;return e!==void 0&&(e===s||U(e)>U(s))}function U(s){return Number(/\d+$/.exec(s)?.[0]??NaN)}var g=8,N=1.2,k=80,lt=100,ht="[data-pull-ignore], input, select, textarea, [contenteditable]",ct=["blur","pagehide","orientationchange","visibilitychange"],P=(s,t)=>s<=0?0:(1-1/(.55*s/t+1))*t,O=(s,t)=>s<=0?0:(1/(1-Math.min(s,t-1)/t)-1)*t/.55,v=class{#e;#t;#s=null;#r=null;constructor(t,e){this.#e=t,this.#t=e}connect(t){this.#e.addEventListener("pointerdown",this,{signal:t});for(let e of ct)addEventListener(e,this,{signal:t})}near(t){this.#e.removeEventListener("touchstart",this),t&&this.#e.addEventListener("touchstart",this,{passive:!1})}cancel(){this.#i()?.isClaimed&&this.#t.cancelled(0)}handleEvent(t){switch(t.type){case"touchstart":return this.#n(t);case"touchmove":return this.#o(t,t.touches[0],t.cancelable)&&t.preventDefault();case"pointerdown":return this.#a(t);case"pointermove":return this.#o(t,t,!0);case"touchend":case"pointerup":return this.#d(t);case"dragstart":case"selectstart":return t.preventDefault();default:this.cancel()}}#n(t){if(this.#r?.isClaimed||t.touches.length>1)return this.cancel();if(this.#i(),!z(t,this.#t))return;let e=this.#l(t,t.touches[0],null),[i]=t.composedPath();for(let r of["touchmove","touchend","touchcancel"])i.addEventListener(r,this,{signal:e,passive:!1});addEventListener("touchstart",this,{signal:e,passive:!0,capture:!0})}#a(t){if(t.pointerType==="touch"||!t.isPrimary||t.button!==0||(this.cancel(),!z(t,this.#t)))return;let e=this.#l(t,t,t.pointerId);for(let i of["pointermove","pointerup","pointercancel"])addEventListener(i,this,{signal:e});this.#e.addEventListener("dragstart",this,{signal:e})}#l({timeStamp:t},{clientX:e,clientY:i},r){let n=j(this.#t.scroller()),o=this.#r={x:e,y:i,at:t,height:n,pointer:r,isClaimed:!1,base:0,offset:0,samples:[],timer:setTimeout(()=>o.isClaimed&&this.#c(o),k+lt)},{signal:h}=this.#s=new AbortController;return addEventListener("keydown",({key:l})=>l==="Escape"&&this.cancel(),{signal:h}),h}#o({timeStamp:t},{clientX:e,clientY:i},r){let n=this.#r,o=i-n.y;if(!n.isClaimed&&!this.#h(n,e-n.x,o,r))return!1;let{samples:h}=n;n.offset=P(n.base+o-g,n.height),h.push([t,n.offset])>5&&h.shift();let l=t-n.at<k;return l||(n.timer&&=clearTimeout(n.timer)),this.#t.moved(n.offset,l),!0}#h(t,e,i,r){return Math.hypot(e,i)<g?!1:i<N*Math.abs(e)||!r?(this.#i(),!1):(t.isClaimed=!0,t.base=O(this.#t.claimed(),t.height),t.pointer!==null&&this.#u(t.pointer),!0)}#c({samples:t,at:e,offset:i}){t.at(-1)[0]-e<k&&this.#t.moved(i,!1)}#u(t){this.#e.setPointerCapture(t),getSelection()?.removeAllRanges(),document.addEventListener("selectstart",this,{signal:this.#s.signal})}#d({timeStamp:t}){let e=this.#i();if(!e.isClaimed)return;e.pointer!==null&&ut();let i=dt(e.samples,t);if(t-e.at<k)return this.#t.cancelled(i);this.#c(e),this.#t.released(i)}#i(){let t=this.#r;return this.#r=null,clearTimeout(t?.timer),this.#s?.abort(),t}},j=s=>Math.min(900,Math.max(480,s.clientHeight));function z(s,t){if(s.defaultPrevented||!t.mayPull()||(globalThis.visualViewport?.scale??1)>1.01)return!1;let e=s.composedPath();return e.some(i=>i instanceof Element&&i.matches(ht))||s.type==="touchstart"&&getSelection()?.type==="Range"?!1:J(e,t.scroller())}function dt(s,t){let[e,i]=[s[0],s.at(-1)];return t-i[0]>50||i[0]===e[0]?0:(i[1]-e[1])/(i[0]-e[0])}function ut(){let s=t=>{t.preventDefault(),t.stopPropagation()};addEventListener("click",s,{capture:!0,once:!0}),setTimeout(()=>removeEventListener("click",s,{capture:!0}),0)}var V=120,pt=1e3,ft=1e4,X=250,mt=24,gt=60,wt=12,bt=6,T=class{#e;#t;#s=null;#r=-1/0;#n=-1/0;#a=0;constructor(t,e){this.#e=t,this.#t=e}connect(t){for(let e of["touchstart","touchend","touchcancel"])this.#e.addEventListener(e,this,{passive:!0,signal:t})}near(t){this.#e.removeEventListener("wheel",this),this.#r=performance.now(),t&&this.#e.addEventListener("wheel",this,{passive:!0})}cancel(){this.#c()?.isClaimed&&this.#t.cancelled(0)}handleEvent(t){if(t.type!=="wheel"&&(this.#n=t.timeStamp+(t.type==="touchstart"?ft:0)),t.timeStamp-this.#n<pt)return this.cancel();t.timeStamp-this.#r>V&&this.#l(t),this.#r=t.timeStamp,this.#s&&this.#o(this.#s,t)}#l(t){if(this.#h(),!z(t,this.#t))return;let e=j(this.#t.scroller());this.#s={at:t.timeStamp,height:e,x:0,y:0,base:0,isClaimed:!1,last:0,highest:0,falls:0}}#o(t,e){let i=-e.deltaY;if(i<0||e.ctrlKey||e.shiftKey)return this.cancel();if(xt(t,i))return this.#h();if(t.x+=Math.abs(e.deltaX),t.y+=e.deltaMode||i>gt?wt:Math.min(i,mt),!(t.y<g)){if(!t.isClaimed&&t.y<N*t.x)return this.cancel();t.isClaimed||(t.base=O(this.#t.claimed(),t.height)),t.isClaimed=!0,this.#t.moved(P(t.base+t.y-g,t.height),e.timeStamp-t.at<X),clearTimeout(this.#a),this.#a=setTimeout(()=>this.#h(),V)}}#h(){let t=this.#c();t?.isClaimed&&(this.#r-t.at<X||document.hidden?this.#t.cancelled(0):this.#t.released(0))}#c(){let t=this.#s;return this.#s=null,clearTimeout(this.#a),t}};function xt(s,t){return t<s.last&&(s.falls+=1),t>s.last&&(s.falls=0),s.last=t,s.highest=Math.max(s.highest,t),s.falls>=bt&&t<=s.highest/2}function Q({last:s},t,e){return s?.outcome==="cancelled"?t.cancelled:s?.outcome&&s.outcome!=="success"?t.failed:e??yt(s,t)??t.updated(t.now)}function Z({completed:s,total:t,note:e},{number:i,share:r}){if(t&&e?.includes(t))return e;let n=s&&i(s);return[t?r(s,t):n,e].filter(Boolean).join(" · ")}function yt(s,t){let{inserted:e,changed:i,moved:r,removed:n}=s?.changes??{changed:1};return e?t.news(e):i||r||n?null:t.noNews}var R=250,tt=300,$=200,kt=280,vt=500,zt=150,q=1e3,F=5e3,Tt=300,I=10,et="gap visible",it=class{#e=null;#t=null;#s=new f(H.standard);#r=new m;#n=0;#a=!1;#l=!1;#o=!1;#h=!1;#c=!1;#u={linger:0,patience:0};#d;#i;#b;#w;#p;#g;#f;#y;constructor(t,e,i){this.#d=t,this.#i=i,this.#b=e,this.#w=new b(e.indicator);let r=a=>`translateY(${a<this.#m?a-this.#m:(a-this.#m)/2}px)`,n=a=>a?`translateY(${a}px)`:"",o=a=>`translateY(${u-Math.min(a,u)}px)`,h=a=>this.#c?`translateY(${Math.min(a,u)-u}px)`:"",l=[{element:e.content,place:n},{element:e.indicator,place:a=>(this.#c?o:r)(a)},{element:e.gap,place:h}];this.#p=new x(l,a=>a?this.paint():e.gap.className=et);let c={mayPull:()=>i.refreshable&&i.phase!=="loading"&&!this.isAsking,scroller:()=>y(t),claimed:()=>this.#P(),moved:(a,d)=>this.#O(a,d),released:a=>this.#$(a),cancelled:a=>this.#q(a)};this.#g=[new v(t,c),new T(t,c)],this.#f=new IntersectionObserver(a=>{for(let d of this.#g)d.near(a.at(-1).isIntersecting)})}connect(){let{signal:t}=this.#y=new AbortController;t.addEventListener("abort",K(this.#d));for(let e of this.#g)e.connect(t);this.#f.observe(this.#b.status)}disconnect(){this.#f.disconnect(),this.#y.abort(),this.reset()}reset(){this.cancel();for(let t of Object.values(this.#u))clearTimeout(t);this.#t=null,this.#o=this.#h=this.#a=this.#l=!1,this.#k(this.#s.configuration),this.#p.follow(0)}configure(t){JSON.stringify(t)!==JSON.stringify(this.#s.configuration)&&(this.cancel(),this.#k(t)),this.#d.style.setProperty("--rl-hold",`${this.#m}px`)}get own(){if(this.#t)return{phase:"primed",progress:1};let t=this.#e,{phase:e}=this.#s;if(!t||e==="loading"||e==="closing")return null;let r=t.offset===t.sentOffset&&performance.now()-t.sentAt>Tt?this.#i.watch.own:null;return r?.gesture===t.gesture?r:this.#s}follow(){let{own:t}=this;t&&t.phase!==this.#i.phase?this.#i.turn():t&&this.#w.fill(t.phase==="waiting"?t.progress:1)}get isDown(){return this.#e!==null}get isAsking(){return this.isDown||this.#t!==null}isOurs(t){return t==="primed"?this.isDown:t==="loading"&&this.#l}cancel(){for(let t of this.#g)t.cancel()}update(t){for(let i of this.#r.hear(t.phase,t.heard))this.#s.handle(i);(t.phase==="loading"||this.#t?.run&&L(this.#t.run,t))&&(this.#t=null)}ask(t){return this.#i.phase==="loading"?null:(this.#S(t),this.#z(),this.#x(R),this.#t)}drop(t){!t||t!==this.#t||(this.#t=null,this.#l=!1,this.#x(tt),this.#i.paint())}turn(t,e){clearTimeout(this.#u.linger),e==="primed"&&!this.#t&&this.#C(2*I),t==="loading"&&this.#a&&this.#C(I),t==="loading"&&(this.#a=this.#l=!1),e==="loading"?this.#I():t==="loading"&&e==="closing"?this.#u.linger=setTimeout(()=>this.#L(),kt):e==="waiting"&&!this.#e&&this.#L()}paint(){let{watch:t,phase:e,words:i}=this.#i,r=e==="loading";this.#v();let n=r?t?.progress:null;this.#w.kind=this.#d.getAttribute("indicator")??this.#s.configuration.indicator,this.#w.paint({phase:this.#t?"loading":e,outcome:t?.state?.last?.outcome??"success",progress:e==="waiting"?this.own?.progress??(this.#p.offset>0?null:0):1,share:n?.total?Math.min(1,n.completed/n.total):null,label:this.#Y,widest:()=>this.#D,note:n?Z(n,i):r||e==="closing"||this.#t?"":this.#b.updated.textContent})}#v(){let{phase:t,isFirst:e}=this.#i;t==="waiting"&&!this.#t&&(this.#h=!1);let r=(t==="loading"?!e:this.#h||this.#p.offset>0||this.#t)?et+(this.#h?" floating":""):"gap";r!==this.#b.gap.className&&(this.#b.gap.className=r)}get#m(){return this.#s.configuration.hold}#k(t){this.#s=new f(t),this.#r=new m,this.#i.watch?.state&&this.update(this.#i.watch.state)}#P(){let{offset:t}=this.#p;this.#c=this.#d.hasAttribute("behind"),this.#h=!1;let e=this.#i.watch.connection.nextGesture();return this.#e={gesture:e,offset:t,sentPhase:"waiting"},t}#O(t,e){let i=this.#e;e||(i.timer||=setInterval(()=>this.#j(),vt));let{threshold:r,hysteresis:n}=this.#s.configuration,o=Math.round(t*10)/10,h=i.offset=e?Math.min(o,r-n):o;this.#p.follow(o);let{refresh:l}=this.#s.handle({type:"sample",gesture:i.gesture,offset:h});if(l!==void 0&&this.#R(),i!==this.#e)return;this.#s.phase!==i.sentPhase&&this.#M(i,!0);let c={offset:o,progress:this.#s.progress,gesture:i.gesture};this.#d.dispatchEvent(new CustomEvent("pull",{detail:c})),this.follow()}#M(t,e){t.sentPhase=this.#s.phase,t.sentOffset=t.offset,t.sentAt=performance.now(),this.#i.watch.pull(t.gesture,t.offset,e)}#j(){let t=this.#e,e=t.offset===t.wasAt;t.wasAt=t.offset,e&&t.offset!==t.sentOffset?this.#M(t,!1):e&&this.follow()}#R(){this.#i.consents("pull")||this.cancel(),this.#e&&(this.#e.isFired=!0,this.#o=this.#a=!0,this.#z(),this.#C(I))}#$(t){let{gesture:e,offset:i,isFired:r}=this.#A(),n=Math.max(this.#s.peak??i,i),{refresh:o}=this.#s.handle({type:"release",gesture:e,offset:i,peak:n}),h=o!==void 0||r,{watch:l}=this.#i,c=o!==void 0&&!this.#i.consents("pull");if(l===this.#i.watch){if(c)return this.#s.handle({type:"refuse"}),l.cancelPull(e),this.#x($,t),this.#i.turn();h&&(this.#o=!0),o!==void 0&&(this.#a=!0),o!==void 0&&this.#i.phase!=="loading"&&this.#z(),this.#F(l.releasePull(e,i,n),h),this.#x(h?R:$,t),this.#i.turn()}}#q(t){let{gesture:e,isFired:i}=this.#A();this.#s.handle({type:"cancel",gesture:e}),i&&(this.#u.patience=setTimeout(()=>this.drop(this.#t),F)),this.#i.watch?.cancelPull(e),this.#x($,t),this.#i.turn()}#A(){let t=this.#e;return this.#e=null,clearInterval(t.timer),t}async#F(t,e){let{watch:i}=this.#i;try{let{run:r,reason:n}=await t;if(i!==this.#i.watch||(r&&this.#t&&(this.#t.run=r),r&&!L(r,i.state)))return;!r&&e?this.#E(n):this.drop(this.#t)}catch(r){if(i!==this.#i.watch)return;this.#E(),this.#i.fail("failed",r)}}#E(t){this.#s.handle({type:"refuse"}),t==="tooSoon"&&this.#i.say(this.#i.words.noNews),this.drop(this.#t)}#z(){this.#t={since:performance.now(),run:null},this.#l=!0}#x(t,e=0){if(this.#e)return;this.#c=this.#d.hasAttribute("behind");let i=this.#o&&(this.#t||this.#i.phase==="loading");this.#p.settle(i?this.#m:0,t,e)}#S(t=!1){this.#o=!t&&S(y(this.#d))&&!this.#i.isFirst,this.#h=!this.#o&&!this.#i.isFirst}#I(){!this.#o&&!this.#h&&this.#S(),this.#x(R)}#L(){if(this.#e||this.#t)return;let t=y(this.#d);this.#o&&t.scrollTop>this.#m&&this.#p.offset>=this.#m&&(this.#p.follow(0),t.scrollTop-=this.#m),this.#o=!1,this.#x(tt),this.paint()}get#Y(){let{phase:t,watch:e,words:i}=this.#i;if(t==="closing"&&!this.#t)return Q(e?.state??{},i,this.#N("closing"));let r=this.#T(this.#t?"loading":t);if(!this.#t)return r;let n=performance.now()-this.#t.since;return n>F?i.queued:(this.#B("patience",(n>q?F:q)+10-n),n>q?i.connecting:r)}get#D(){let[t,e]=[this.#T("waiting"),this.#T("primed")];return t.length>e.length?t:e}#T(t){return this.#N(t)??this.#i.words[t]}#N(t){return this.#d.getAttribute(`text-${t}`)??this.#i.watch?.about?.pull?.texts?.[t]}#B(t,e){clearTimeout(this.#u[t]),this.#u[t]=setTimeout(()=>this.#i.paint(),e)}#C(t){let e=performance.now();!this.#s.configuration.haptics||M()||e-this.#n<zt||(this.#n=e,navigator.vibrate?.(t))}};export{it as PullController};
//# sourceMappingURL=pull-controller.js.map
