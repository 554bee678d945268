import '../ui/theme.css';

document.title = 'geste';
